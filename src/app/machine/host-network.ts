// The host of containers' networks: it can listen on gateway addresses, and it runs the programs
// that set firewall rules.

import type { Server } from "node:http";
import { isWildcard } from "../../config/network/public-address.ts";
import { type Run, runLocally } from "../../drivers/machine/run.ts";

export interface HostNetwork {
  /**
   * The port at which the service listens on all addresses of the host; null if it listens on none
   * yet.
   */
  everywhere: number | null;
  /**
   * Listens on an address of the host; port 0 means any free port. `over` is called if the listener
   * ends by itself. Rejects with PortTaken, AddressMissing, or with a sentence that says why it cannot listen.
   */
  listen(address: string, port: number, over: () => void): Promise<Listening>;
  run: Run;
}

export interface Listening {
  port: number;
  close(): Promise<void>;
}

export class PortTaken extends Error {
  override readonly name = "PortTaken";
}

/** The host has no such address, at least for now. */
export class AddressMissing extends Error {
  override readonly name = "AddressMissing";
}

/** This machine, which is the gateway of its containers' networks. */
export function ownHostNetwork(
  own: { host: string; port: number; isTls: boolean },
  additionalServer: () => Server,
): HostNetwork {
  return {
    // Containers speak plain http, which the service's own listener refuses them if it has TLS.
    everywhere: !own.isTls && isWildcard(own.host) ? own.port : null,
    run: runLocally(),
    async listen(address, requested) {
      const server = additionalServer();
      await new Promise<void>((resolve, reject) => {
        server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
          if (code === "EADDRINUSE") return reject(new PortTaken(message));
          const what = `this service cannot listen on ${address}, its address in the containers' network`;
          const hint = "set FREEHOLD_PUBLIC_URL to where containers reach it";
          const sentence = `${what} (${message}); ${hint}`;
          reject(code === "EADDRNOTAVAIL" ? new AddressMissing(sentence) : new Error(sentence));
        });
        server.listen({ host: address, port: requested }, () => resolve());
      });
      const { port } = server.address() as { port: number };
      return { port, close: () => closed(server) };
    },
  };
}

async function closed(server: Server): Promise<void> {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await done;
}
