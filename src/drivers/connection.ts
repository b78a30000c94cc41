// TCP connections to workloads.

import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Clock } from "../base/clock.ts";
import { connectForDirectReads } from "../base/node/direct-reads.ts";
import { NotReached, type Unreached } from "../domain/container/unreachable-port.ts";

/** On one machine a connection takes microseconds; no answer after this time means that none comes. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Rejects with NotReached. */
export function connectTo(host: string, port: number, clock: Clock): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectForDirectReads({ host, port, noDelay: true, keepAlive: true });
    const fail = (reason: Unreached) => {
      cancelTimeout();
      socket.destroy();
      reject(new NotReached(reason));
    };
    const cancelTimeout = clock.after(CONNECT_TIMEOUT_MS, () => fail("silent"));
    const onError = ({ code }: NodeJS.ErrnoException) =>
      fail(code === "ECONNREFUSED" ? "refused" : "silent");
    socket.once("error", onError);
    socket.once("connect", () => {
      cancelTimeout();
      socket.off("error", onError);
      resolve(socket);
    });
  });
}

/** A port of the loopback interface that nothing uses now. */
export function freeLoopbackPort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
