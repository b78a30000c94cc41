// When a job may run first: its client delays it by a span or until an instant.

import { DAY_MS } from "../../../base/units.ts";
import { Fault } from "../../fault.ts";

export interface StartTimeRequest {
  /** Seconds from submission. */
  delay?: number;
  /** An ISO 8601 date and time. */
  runAt?: string;
}

const MAX_DELAY_DAYS = 30;
const MAX_DELAY_MS = MAX_DELAY_DAYS * DAY_MS;

/** Null for a job that may run at once; an instant in the past is no delay. Throws a fault for one out of bounds. */
export function decideStart({ delay, runAt }: StartTimeRequest, now: number): number | null {
  if (delay !== undefined && runAt !== undefined) {
    throw invalid('"policy.delay" and "policy.runAt" exclude each other: leave one out.');
  }
  const at = runAt === undefined ? now + Math.round((delay ?? 0) * 1_000) : instantOf(runAt);
  if (at > now + MAX_DELAY_MS) {
    const latest = new Date(now + MAX_DELAY_MS).toISOString();
    const end = `at most ${MAX_DELAY_DAYS} days ahead, so no later than ${latest}`;
    throw invalid(`"policy.runAt" must be ${end}; it is ${runAt}.`);
  }
  return at > now ? at : null;
}

/** A date and time without an offset would mean another instant on another machine. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function instantOf(text: string): number {
  const at = WITH_OFFSET.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw invalid(
    '"policy.runAt" must be an ISO 8601 date and time with an offset, such as 2027-01-31T08:30:00Z ' +
      `or 2027-01-31T09:30:00+01:00; it is "${text}".`,
  );
}

const invalid = (detail: string) => new Fault("invalid_body", { detail });
