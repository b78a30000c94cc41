// The logs of a Pod or worker, as JSON or as events that go on.

import type { FastifyReply } from "fastify";
import type { LogLine, LogQuery } from "../../contract/rest-v1/log.ts";
import { Fault } from "../../domain/fault.ts";
import { cursorText, type LogCursor, readCursor } from "../../domain/log/cursor.ts";
import { sinceOf } from "../../domain/log/since.ts";
import { type FollowedLine, followLog } from "../../flows/log/follow.ts";
import { type LoggedLine, type LogWish, readLog } from "../../flows/log/read.ts";
import type { Subject } from "../../flows/log/subject.ts";
import { sendEvents } from "../http/event-stream.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";

const USUAL_TAIL = 100;

export async function sendLog(
  deps: RestDeps,
  subject: Subject,
  query: LogQuery,
  reply: FastifyReply,
): Promise<LogLine[] | FastifyReply> {
  const wish = wishOf(query, deps.clock.now());
  if (!query.follow) return (await readLog(deps, subject, wish)).map(lineOf);
  const from = lastEvent(reply);
  const stopped = deps.polls.hold(reply.request, reply);
  const gone = AbortSignal.any([stopped, deps.admission.until(reply)]);
  const lines = followLog(deps, subject, wish, from, gone);
  return sendEvents(reply, events(lines, gone), { clock: deps.clock, gone });
}

function wishOf({ type, tail, since }: LogQuery, now: number): LogWish {
  const from = since === undefined ? null : sinceOf(since, now);
  if (since !== undefined && from === null) {
    const right = 'an instant such as "2026-01-31T18:00:00Z", or how long ago, such as "10m"';
    const detail = `"since" must be ${right}; it is ${JSON.stringify(since.slice(0, 80))}.`;
    throw new Fault("invalid_query", { detail });
  }
  return { type: type ?? null, tail: tail ?? USUAL_TAIL, since: from };
}

/** What a browser sends by itself when it connects again. */
function lastEvent({ request }: FastifyReply): LogCursor | null {
  const given = request.headers["last-event-id"];
  if (given === undefined || given === "") return null;
  const cursor = typeof given === "string" ? readCursor(given) : null;
  if (cursor) return cursor;
  const detail = 'The Last-Event-ID header must be the "id" of an event of this log.';
  throw new Fault("invalid_query", { detail });
}

async function* events(
  lines: AsyncIterable<FollowedLine[]>,
  gone: AbortSignal,
): AsyncGenerator<string> {
  for await (const batch of lines) {
    yield batch
      .map((line) => `id: ${cursorText(line.cursor)}\ndata: ${JSON.stringify(eventOf(line))}\n\n`)
      .join("");
  }
  // Where the service stops the reader is to come again.
  if (!gone.aborted) yield 'event: end\ndata: {"reason":"It is gone, and prints no more."}\n\n';
}

function eventOf(line: FollowedLine): LogLine {
  if (line.type !== "lost") return lineOf(line);
  const text = `${line.count} lines are left out here: they came faster than they were read.`;
  return { at: null, type: "system", text, lost: line.count };
}

function lineOf({ at, type, text }: LoggedLine): LogLine {
  return { at: at === null ? null : instant(at), type, text };
}
