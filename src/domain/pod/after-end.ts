// The reaction to a Pod's container that ends by itself or cannot be started: it is retried with a
// growing back-off and finally given up, so that it is not billed forever. Pure.

import { MINUTE_MS } from "../../base/units.ts";

export type AfterEnd =
  | { do: "finish" }
  | { do: "again"; at: number }
  | { do: "giveUp"; reason: string };

const WINDOW_MS = 10 * MINUTE_MS;
const MAX_ENDS = 5;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

export interface End {
  at: number;
  exitCode: number | null;
  signal: string | null;
  oom: boolean;
}

/** `earlier` are the instants of previous ends that the service did not cause. */
export function afterEnd(end: End, earlier: readonly number[]): AfterEnd {
  if (end.exitCode === 0 && end.signal === null) return { do: "finish" };
  const count = recentEnds(earlier, end.at).length + 1;
  if (count < MAX_ENDS) return { do: "again", at: end.at + backoffMs(count, MAX_BACKOFF_MS) };
  const reason = `its container ended ${count} times within ten minutes, the last time ${howEnded(end)}`;
  return { do: "giveUp", reason };
}

/** A sandbox is not restarted: its files went with its container. */
export function afterOnlyEnd(end: End): AfterEnd {
  if (end.exitCode === 0 && end.signal === null) return { do: "finish" };
  return { do: "giveUp", reason: `its container ended ${howEnded(end)}` };
}

/** The ends that still count at an instant. */
export function recentEnds(ends: readonly number[], at: number): number[] {
  return ends.filter((each) => each > at - WINDOW_MS);
}

/** "with exit code 1", "by SIGKILL", "because it ran out of memory" */
export function howEnded({ exitCode, signal, oom }: Omit<End, "at">): string {
  if (oom) return "because it ran out of memory";
  if (signal !== null) return `by ${signal}`;
  return exitCode === null ? "for an unknown reason" : `with exit code ${exitCode}`;
}

const MAX_START_BACKOFF_MS = 5 * MINUTE_MS;
const GIVE_UP_STARTS_MS = 30 * MINUTE_MS;

/** After a failed start; `tries` counts this one too. */
export function afterFailedStart(
  why: string,
  tries: number,
  firstAt: number,
  now: number,
): AfterEnd {
  if (now - firstAt >= GIVE_UP_STARTS_MS) {
    return { do: "giveUp", reason: `it could not be started for 30 minutes: ${why}` };
  }
  return { do: "again", at: now + backoffMs(tries, MAX_START_BACKOFF_MS) };
}

const backoffMs = (count: number, maxMs: number) =>
  Math.min(maxMs, FIRST_BACKOFF_MS * 2 ** (count - 1));
