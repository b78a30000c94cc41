// Whether an address can be listened at.

import { createServer } from "node:net";

export interface ListenAt {
  host: string;
  port: number;
}

/** Rejects with the system error of a server that cannot listen there. */
export function requireFree(at: ListenAt): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...at, exclusive: true }, () => server.close(() => resolve()));
  });
}
