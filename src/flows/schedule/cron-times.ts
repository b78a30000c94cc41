// The instants of a cron expression that a client gives.

import { CronError, type CronTimes, parseCron } from "../../base/cron/cron.ts";
import { Fault } from "../../domain/fault.ts";

const EXAMPLES = {
  cron: '"0 9 * * MON-FRI" for 9:00 on working days, or "@hourly"',
  timeZone: "Europe/Berlin or UTC",
};

/** Throws a fault for an expression or a time zone that is not valid, and for an expression that is never due. */
export async function cronTimes(
  { cron, timeZone }: { cron: string; timeZone: string },
  now: number,
  code: "invalid_body" | "invalid_query" = "invalid_body",
): Promise<CronTimes> {
  try {
    const times = await parseCron(cron, timeZone);
    if (times.next(now) === null) throw new CronError("cron", "it is never due");
    return times;
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    const { field, message } = error;
    const noun = field === "cron" ? "a cron expression" : "a time zone of the IANA database";
    const text = field === "cron" ? cron : timeZone;
    const detail = `"${field}" must be ${noun} such as ${EXAMPLES[field]}; "${text}" is not: ${message}.`;
    throw new Fault(code, { detail });
  }
}

/** The first instants after `now`. */
export function nextInstants(times: CronTimes, now: number, limit: number): number[] {
  const instants: number[] = [];
  for (let at = times.next(now); at !== null && instants.length < limit; at = times.next(at)) {
    instants.push(at);
  }
  return instants;
}
