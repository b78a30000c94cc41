// The logs of a Pod or worker, as JSON or as a stream of events.

import type { FastifyReply } from "fastify";
import type { LogLine, LogQuery } from "../../../contract/rest-v1/observe/log.ts";
import { Fault } from "../../../domain/fault.ts";
import { cursorText, readCursor } from "../../../domain/log/cursor.ts";
import { sinceOf } from "../../../domain/log/since.ts";
import { type FollowDeps, type FollowedLine, followLog } from "../../../flows/log/follow.ts";
import { type LoggedLine, type LogRequest, readLog } from "../../../flows/log/read.ts";
import type { Subject } from "../../../flows/log/subject.ts";
import { sendEvents } from "../../http/event-stream.ts";
import type { StreamDeps } from "../deps.ts";
import { instant } from "../serve/instant.ts";
import { LOG_END, readLastEvent, streamSignal } from "./stream.ts";

export interface LogStreamDeps extends FollowDeps, StreamDeps {}

const DEFAULT_TAIL = 100;

export async function sendLog(
  deps: LogStreamDeps,
  subject: Subject,
  query: LogQuery,
  reply: FastifyReply,
): Promise<LogLine[] | FastifyReply> {
  const logRequest = requestOf(query, deps.clock.now());
  if (!query.follow) return (await readLog(deps, subject, logRequest)).map(lineOf);
  const from = readLastEvent(reply, readCursor);
  const signal = streamSignal(deps, reply);
  const lines = followLog(deps, subject, { ...logRequest, from }, signal);
  return sendEvents(reply, events(lines, signal), { clock: deps.clock, signal });
}

function requestOf({ type, tail, since }: LogQuery, now: number): LogRequest {
  return { type: type ?? null, tail: tail ?? DEFAULT_TAIL, since: sinceIn(since, now) };
}

/** Milliseconds since the epoch, or null without the parameter. */
export const sinceIn = (since: string | undefined, now: number) => instantIn("since", since, now);

export function instantIn(name: string, text: string | undefined, now: number): number | null {
  const at = text === undefined ? null : sinceOf(text, now);
  if (text !== undefined && at === null) {
    const expected = 'an instant such as "2026-01-31T18:00:00Z" or a duration such as "10m"';
    const detail = `"${name}" must be ${expected}; it is ${JSON.stringify(text.slice(0, 80))}.`;
    throw new Fault("invalid_query", { detail });
  }
  return at;
}

async function* events(
  lines: AsyncIterable<FollowedLine[]>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const batch of lines) {
    yield batch
      .map((line) => `id: ${cursorText(line.cursor)}\ndata: ${JSON.stringify(eventOf(line))}\n\n`)
      .join("");
  }
  // If the service stops, there is no end event and the reader reconnects.
  if (!signal.aborted) yield LOG_END;
}

function eventOf(line: FollowedLine): LogLine {
  if (line.type !== "lost") return lineOf(line);
  const text = `${line.count} lines are missing here because the reader was too slow.`;
  return { at: null, type: "system", text, lost: line.count };
}

function lineOf({ at, type, text }: LoggedLine): LogLine {
  return { at: at === null ? null : instant(at), type, text };
}
