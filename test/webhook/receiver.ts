// A webhook receiver for tests: a real server on loopback with configured responses, which records
// its requests.

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves once it has received this many requests. */
  sent(count: number): Promise<Received[]>;
}

/** Answers each status in turn and then the last one; null never answers. */
export async function startReceiver(
  t: TestContext,
  answers: (number | null)[] = [200],
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const answer = answers[Math.min(received.length, answers.length - 1)] ?? null;
    received.push({ headers: request.headers, body: Buffer.concat(pieces).toString("utf8") });
    for (const check of waiting) check();
    if (answer === null) return;
    response.writeHead(answer, answer >= 300 && answer < 400 ? { location: "/elsewhere" } : {});
    response.end("noted");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    sent: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
  };
}
