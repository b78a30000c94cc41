// The log of a Pod or worker as a stream of events that does not end by itself.

import { once } from "node:events";
import type { FastifyReply } from "fastify";
import type { Clock } from "../../base/clock.ts";
import type { LogQuery } from "../../contract/rest-v2/log.ts";
import { cursorText, readCursor } from "../../domain/log/cursor.ts";
import { type FollowedLine, followLog } from "../../flows/log/follow.ts";
import type { Subject } from "../../flows/log/subject.ts";
import { sendEvents } from "../http/event-stream.ts";
import { lineEvent } from "../management/observe/line-event.ts";
import type { LogStreamDeps } from "../management/observe/log.ts";
import { readLastEvent, streamSignal } from "../management/observe/stream.ts";
import { invalidFields } from "./serve/invalid-fields.ts";

const DEFAULT_TAIL = 100;
const MAX_TAIL = 5_000;

export async function sendLogStream(
  deps: LogStreamDeps,
  subject: Subject,
  { source, tail, since }: LogQuery,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { clock } = deps;
  // The counters of the log do not depend on this process.
  const from = readLastEvent(reply, readCursor, unknownEvent);
  const logRequest = {
    type: source ?? null,
    tail: since === undefined ? (tail ?? DEFAULT_TAIL) : MAX_TAIL,
    since: since === undefined || from ? null : Date.parse(since),
  };
  const signal = streamSignal(deps, reply);
  const lines = followLog(deps, subject, { ...logRequest, from }, signal);
  reply.raw.setHeader("x-request-id", reply.request.id);
  return sendEvents(reply, events(lines, { clock, signal }), { clock, signal });
}

const unknownEvent = () =>
  invalidFields([{ path: "Last-Event-ID", complaint: 'must be the "id" of an event of this log' }]);

async function* events(
  lines: AsyncIterable<FollowedLine[]>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): AsyncGenerator<string> {
  for await (const batch of lines) {
    yield batch
      .map((line) => {
        const data = JSON.stringify(lineEvent(line, clock.now()));
        return `id: ${cursorText(line.cursor)}\ndata: ${data}\n\n`;
      })
      .join("");
  }
  // The log is complete, but clients take the end of a stream for a fault and connect again.
  if (!signal.aborted) await once(signal, "abort");
}
