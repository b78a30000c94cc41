// Where containers' networks are, as the service needs it: somewhere to listen for them, and the
// programs that set rules for them.

import type { Server } from "node:http";
import { type Run, runHere } from "../drivers/machine/run.ts";

export interface Ground {
  /** The port at which the service is there on all of its addresses; null where it listens on none yet. */
  everywhere: number | null;
  /**
   * Takes requests on one of its addresses, at port 0 on any that is free; `over` is called should
   * that end by itself. Rejects with PortTaken, or with the sentence that says why it cannot be.
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

/** This machine, which is the gateway of its containers' networks. */
export function ownGround(
  own: { host: string; port: number },
  anotherServer: () => Server,
): Ground {
  return {
    everywhere: own.host === "0.0.0.0" || own.host === "::" ? own.port : null,
    run: runHere(),
    async listen(address, wished) {
      const server = anotherServer();
      await new Promise<void>((resolve, reject) => {
        server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
          if (code === "EADDRINUSE") return reject(new PortTaken(message));
          const what = `this service cannot listen on ${address}, its address in the containers' network`;
          const hint = "set FREEHOLD_PUBLIC_URL to where containers reach it";
          reject(new Error(`${what} (${message}); ${hint}`));
        });
        server.listen(wished, address, () => resolve());
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
