// Asks the same again and again over a few connections that are kept open.

import { Agent, request } from "node:http";
import type { Asked } from "./asked.ts";

export interface Server {
  port: number;
  key: string;
}

/** The whole body of one answer. */
export function fetchOnce(server: Server, asked: Asked, agent?: Agent): Promise<string> {
  const { method, path, body } = asked;
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

/** Answers per second. */
export async function rateOf(
  server: Server,
  asked: Asked,
  { connections, forMs }: { connections: number; forMs: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let answers = 0;
  const begun = performance.now();
  const end = begun + forMs;
  const client = async () => {
    while (performance.now() < end) {
      await fetchOnce(server, asked, agent);
      answers++;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - begun) / 1_000;
  agent.destroy();
  return answers / seconds;
}
