// Server-sent events: a response that stays open as long as its reader. Events are pulled only as fast
// as the socket takes them; comments keep the connection alive through intermediaries.

import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { type Clock, routineOf } from "../../base/clock.ts";

const HEARTBEAT_MS = 15_000;

export interface EventStreamOptions {
  clock: Clock;
  /** Aborts when the client disconnects or the service stops. */
  signal: AbortSignal;
}

/** Each text is one or more complete events. Resolves when the response has ended. */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<string>,
  { clock, signal }: EventStreamOptions,
): Promise<FastifyReply> {
  reply.hijack();
  const { raw } = reply;
  raw.on("error", () => {}); // a close event follows
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  const stopHeartbeat = heartbeat(reply, clock);
  try {
    for await (const text of events) {
      if (signal.aborted) break;
      if (!raw.write(text)) await once(raw, "drain", { signal });
    }
  } catch (error) {
    if (!signal.aborted) reply.log.error({ err: error }, "an event stream failed");
  } finally {
    stopHeartbeat();
    raw.end();
  }
  return reply;
}

function heartbeat({ raw }: FastifyReply, clock: Clock): () => void {
  let cancel = () => {};
  const next = () => {
    if (!raw.writableNeedDrain) raw.write(": still here\n\n");
    cancel = routineOf(clock).after(HEARTBEAT_MS, next);
  };
  cancel = routineOf(clock).after(HEARTBEAT_MS, next);
  return () => cancel();
}
