// Connections to where workloads are.

import { connect, type Socket } from "node:net";
import type { Clock } from "../base/clock.ts";
import { NotReached, type Unreached } from "../domain/pod/unreached.ts";

/** On one machine a connection takes microseconds; who is silent for so long lets none in. */
const MOST_MS = 5_000;

/** Rejects with NotReached. */
export function connectTo(host: string, port: number, clock: Clock): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    const refuse = (why: Unreached) => {
      callOff();
      socket.destroy();
      reject(new NotReached(why));
    };
    const callOff = clock.after(MOST_MS, () => refuse("silent"));
    const failed = ({ code }: NodeJS.ErrnoException) =>
      refuse(code === "ECONNREFUSED" ? "refused" : "silent");
    socket.once("error", failed);
    socket.once("connect", () => {
      callOff();
      socket.off("error", failed);
      resolve(socket);
    });
  });
}

/** For what has no address of its own: what listens on its machine need not be what was meant. */
export async function takesNone(): Promise<Socket> {
  throw new NotReached("no_ports");
}
