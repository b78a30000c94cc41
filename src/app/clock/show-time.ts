// Every answer of a service with a virtual clock tells its time, for workers and clients whose own time
// does not move with it.

import type { FastifyInstance } from "fastify";
import type { OpenVirtualTime } from "./virtual-time.ts";

const CLOCK_HEADER = "freehold-clock";

export function showTime(
  app: FastifyInstance,
  virtualTime: Pick<OpenVirtualTime, "clock" | "activity"> | null,
): void {
  if (!virtualTime) return;
  const { clock, activity } = virtualTime;
  app.addHook("onRequest", (_, __, done) => {
    activity.note();
    done();
  });
  app.addHook("onSend", (_, reply, __, done) => {
    reply.header(CLOCK_HEADER, new Date(clock.now()).toISOString());
    done();
  });
  app.addHook("onResponse", (_, __, done) => {
    activity.note();
    done();
  });
}
