// What the servers of recordings and replays share: a port of this machine, and errors in Freehold's form.

import type http from "node:http";
import type { AddressInfo } from "node:net";
import { Refusal, UsageError } from "../base/refusal.ts";
import { type Address, originOf, readAddress } from "../config/network/listen-address.ts";

const USUAL: Address = { host: "127.0.0.1", port: 8710 };

/** The origin that the server listens on; `listen` is the option's text. */
export async function listenOn(server: http.Server, listen: string | undefined): Promise<string> {
  const errors: string[] = [];
  const { host, port } = listen ? readAddress("--listen", listen, USUAL, errors) : USUAL;
  if (errors[0]) throw new UsageError(errors[0]);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  }).catch(({ code, message }: NodeJS.ErrnoException) => {
    const other = `choose another: --listen ${host}:${port + 1}`;
    throw new Refusal(
      code === "EADDRINUSE"
        ? `port ${port} on ${host} is taken; stop what uses it, or ${other}`
        : `cannot listen on ${host}:${port}: ${message}`,
    );
  });
  return originOf({ host, port: (server.address() as AddressInfo).port });
}

export async function closeServer(server: http.Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Nothing, if the answer has begun. */
export function sendError(
  response: http.ServerResponse,
  status: number,
  code: string,
  error: string,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error, message: error, code, status }));
}
