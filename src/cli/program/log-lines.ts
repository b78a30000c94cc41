// The lines of a log of the service, read once or followed.

import { pause, systemClock } from "../../base/clock.ts";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import type { LogLine } from "../../contract/rest-v1/observe/log.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask, send } from "../client/service-request.ts";
import { serverEvents } from "./server-events.ts";

export interface Log {
  service: RunningService;
  /** The route of the log. */
  path: string;
  /** Only lines of this type. */
  type: string | undefined;
  since: string | undefined;
  tail: string | undefined;
}

/** A service that restarts is back within this time. */
const RECONNECTIONS = 30;

export async function readLog(log: Log): Promise<LogLine[]> {
  const lines = (await ask(log.service, "GET", addressOf(log, false))) as LogLine[];
  return lines.filter((line) => isChosen(line, log));
}

/** Ends with the log. A connection that breaks is opened again, after the last line that was received. */
export async function* followLog(log: Log): AsyncGenerator<LogLine> {
  let last: string | null = null;
  for (let failures = 0; ; failures++) {
    try {
      const headers = { accept: "text/event-stream", ...(last && { "last-event-id": last }) };
      const { body } = await send(log.service, addressOf(log, true), { headers });
      for await (const { event, id, data } of serverEvents(body!)) {
        if (event === "end") return;
        failures = 0;
        last = id ?? last;
        const line = JSON.parse(data) as LogLine;
        if (isChosen(line, log)) yield line;
      }
    } catch (error) {
      const isPassing = !(error instanceof Refusal) || error.exitCode === exitCodes.unreachable;
      if (!isPassing || failures === RECONNECTIONS) throw error;
    }
    await pause(systemClock, 1_000);
  }
}

/** The route of a job's log has no parameter for the type. */
const isChosen = (line: LogLine, { type }: Log) => type === undefined || line.type === type;

function addressOf({ path, type, since, tail }: Log, follows: boolean): string {
  const isJob = path.startsWith("/v1/jobs/");
  const query = { since, tail, follow: follows || undefined, type: isJob ? undefined : type };
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(pairs as [string, string][])}`;
}
