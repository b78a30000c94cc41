// A connection to a port of a Pod on another replica's machine: an HTTP request that is upgraded, and
// then carries the bytes as they are.

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { asUnreached, NotReached } from "../../domain/pod/unreached.ts";

/** What such a request asks to be upgraded to. */
export const TUNNEL = "freehold-tunnel";

/** Says in a refusal why the port is not reached. */
export const WHY_HEADER = "freehold-why";

export const tunnelPath = (
  { machine, id, driver }: { machine: string; id: string; driver: string },
  port: number,
) => `/replica/machines/${machine}/pods/${id}/drivers/${driver}/ports/${port}`;

/** Longer than the other one's own try at the port. */
const ANSWER_MS = 8_000;

/** Rejects with NotReached. */
export function openTunnel(address: string, pass: string, clock: Clock): Promise<Duplex> {
  const headers = { connection: "Upgrade", upgrade: TUNNEL, authorization: pass };
  const ask = address.startsWith("https:") ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const asked = ask(address, { headers, agent: false });
    const fail = (why: unknown) => {
      callOff();
      asked.destroy();
      reject(new NotReached(asUnreached(why)));
    };
    const callOff = clock.after(ANSWER_MS, () => fail("machine_away"));
    asked.on("error", () => fail("machine_away"));
    asked.on("response", (answer: IncomingMessage) => fail(answer.headers[WHY_HEADER]));
    asked.on("upgrade", (_answer, socket: Duplex, head: Buffer) => {
      callOff();
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.end();
  });
}
