// Repeats one query over a few keep-alive connections and measures responses per second.

import { Agent, request } from "node:http";
import type { Query } from "./queries.ts";

export interface Server {
  port: number;
  key: string;
}

/** The complete body of one response. */
export function fetchOnce(server: Server, query: Query, agent?: Agent): Promise<string> {
  const { method, path, body } = query;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: server.port,
        method,
        path,
        agent,
        headers: {
          authorization: `Bearer ${server.key}`,
          ...(body && { "content-type": "application/json", "content-length": body.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`));
        });
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Responses per second. */
export async function rateOf(
  server: Server,
  query: Query,
  { connections, forMs }: { connections: number; forMs: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let answers = 0;
  const begun = performance.now();
  const end = begun + forMs;
  const client = async () => {
    while (performance.now() < end) {
      await fetchOnce(server, query, agent);
      answers++;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - begun) / 1_000;
  agent.destroy();
  return answers / seconds;
}
