// Server-sent events: a reply that goes on for as long as its reader stays. No more is asked for than
// the socket takes, and a comment now and then tells everybody on the way that it still lives.

import { once } from "node:events";
import type { FastifyReply } from "fastify";
import type { Clock } from "../../base/clock.ts";

const HEARTBEAT_MS = 15_000;

export interface Around {
  clock: Clock;
  /** Aborts when the reader has gone or the service stops. */
  gone: AbortSignal;
}

/** Each text is one or more whole events. Resolves when the reply has ended. */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<string>,
  { clock, gone }: Around,
): Promise<FastifyReply> {
  reply.hijack();
  const { raw } = reply;
  raw.on("error", () => {}); // its close follows, and is heard
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  const stopBeating = beat(reply, clock);
  try {
    for await (const text of events) {
      if (gone.aborted) break;
      if (!raw.write(text)) await once(raw, "drain", { signal: gone });
    }
  } catch (error) {
    if (!gone.aborted) reply.log.error({ err: error }, "a stream of events broke off");
  } finally {
    stopBeating();
    raw.end();
  }
  return reply;
}

function beat({ raw }: FastifyReply, clock: Clock): () => void {
  let cancel = () => {};
  const next = () => {
    if (!raw.writableNeedDrain) raw.write(": still here\n\n");
    cancel = clock.after(HEARTBEAT_MS, next);
  };
  cancel = clock.after(HEARTBEAT_MS, next);
  return () => cancel();
}
