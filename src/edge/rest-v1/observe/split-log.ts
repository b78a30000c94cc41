// The two logs of a Pod or worker apart, as Python clients read them.

import type { FastifyReply } from "fastify";
import type { Clock } from "../../../base/clock.ts";
import type { SplitLog, SplitLogQuery } from "../../../contract/rest-v1/observe/log.ts";
import { type FollowedLine, followLog } from "../../../flows/log/follow.ts";
import { type LoggedLine, readLog } from "../../../flows/log/read.ts";
import type { Subject } from "../../../flows/log/subject.ts";
import { sendEvents } from "../../http/event-stream.ts";
import { lineEvent } from "../../management/observe/line-event.ts";
import { type LogStreamDeps, sinceIn } from "../../management/observe/log.ts";
import { streamSignal } from "../../management/observe/stream.ts";
import { instant } from "../../management/serve/instant.ts";

const DEFAULT_TAIL = 1_000;

export async function sendSplitLog(
  deps: LogStreamDeps,
  subject: Subject,
  query: SplitLogQuery,
  reply: FastifyReply,
): Promise<SplitLog | FastifyReply> {
  const { clock } = deps;
  const { type = "all", tail = DEFAULT_TAIL } = query;
  const since = sinceIn(query.since, clock.now());
  const logRequest = { type: type === "all" ? null : type, tail, since };
  if (!query.stream) return splitLog(await readLog(deps, subject, logRequest), type);
  const signal = streamSignal(deps, reply);
  const lines = followLog(deps, subject, { ...logRequest, from: null }, signal);
  return sendEvents(reply, events(lines, clock), { clock, signal });
}

function splitLog(lines: LoggedLine[], type: SplitLogQuery["type"]): SplitLog {
  const linesOf = (log: LoggedLine["type"]) =>
    lines.filter((line) => line.type === log).map(({ at, text }) => withTime(at, text));
  return {
    ...(type !== "system" && { container: linesOf("container") }),
    ...(type !== "container" && { system: linesOf("system") }),
  };
}

const withTime = (at: number | null, text: string) =>
  at === null ? text : `${instant(at)} ${text}`;

/** Ends with the log: these clients take every event for a line. */
async function* events(lines: AsyncIterable<FollowedLine[]>, clock: Clock): AsyncGenerator<string> {
  for await (const batch of lines) {
    yield batch.map((line) => `data: ${JSON.stringify(lineEvent(line, clock.now()))}\n\n`).join("");
  }
}
