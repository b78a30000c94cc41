// A connection to a port of a Pod on another replica's machine: an HTTP request that is upgraded to a
// raw byte stream.

import type { IncomingMessage } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import { request as ask } from "../../base/node/http.ts";
import { asUnreached, NotReached } from "../../domain/container/unreachable-port.ts";

/** The protocol name of the upgrade. */
export const TUNNEL = "freehold-tunnel";

/** The header of an error response with the reason why a port is unreachable. */
export const WHY_HEADER = "freehold-why";

export const tunnelPath = (
  { machine, id, driver }: { machine: string; id: string; driver: string },
  port: number,
) => `/replica/machines/${machine}/pods/${id}/drivers/${driver}/ports/${port}`;

/** Longer than the other replica's own timeout. */
const ANSWER_MS = 8_000;

/** Rejects with NotReached. */
export function openTunnel(address: string, pass: string, clock: Clock): Promise<Duplex> {
  const headers = { connection: "Upgrade", upgrade: TUNNEL, authorization: pass };
  const send = address.startsWith("https:") ? https.request : ask;
  return new Promise((resolve, reject) => {
    const request = send(address, { headers, agent: false });
    const fail = (why: unknown) => {
      cancelTimeout();
      request.destroy();
      reject(new NotReached(asUnreached(why)));
    };
    const cancelTimeout = clock.after(ANSWER_MS, () => fail("machine_away"));
    request.on("error", () => fail("machine_away"));
    request.on(
      "response",
      guarded("a replica", (answer: IncomingMessage) => fail(answer.headers[WHY_HEADER])),
    );
    request.on(
      "upgrade",
      guarded("a replica", (_answer, socket: Duplex, head: Buffer) => {
        cancelTimeout();
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      }),
    );
    request.end();
  });
}
