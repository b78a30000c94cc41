// What follows when a Pod's container ended by itself, or could not be started. Whatever fails is
// tried again ever later, and given up in the end: nothing is billed for ever. Pure.

export type AfterEnd =
  | { do: "finish" }
  | { do: "again"; at: number }
  | { do: "giveUp"; reason: string };

const WINDOW_MS = 10 * 60_000;
const MOST_ENDS = 5;
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

export interface End {
  at: number;
  exitCode: number | null;
  signal: string | null;
  oom: boolean;
}

/** `earlier` are the instants of ends before this one that were none of our doing. */
export function afterEnd(end: End, earlier: readonly number[]): AfterEnd {
  if (end.exitCode === 0 && end.signal === null) return { do: "finish" };
  const ends = lately(earlier, end.at).length + 1;
  if (ends < MOST_ENDS) {
    return { do: "again", at: end.at + Math.min(LONGEST_MS, FIRST_MS * 2 ** (ends - 1)) };
  }
  const reason = `its container ended ${ends} times within ten minutes, at last ${howEnded(end)}`;
  return { do: "giveUp", reason };
}

/** Those of some ends that still count at an instant. */
export function lately(ends: readonly number[], at: number): number[] {
  return ends.filter((each) => each > at - WINDOW_MS);
}

/** "with exit code 1", "by SIGKILL", "for want of memory" */
export function howEnded({ exitCode, signal, oom }: Omit<End, "at">): string {
  if (oom) return "for want of memory";
  if (signal !== null) return `by ${signal}`;
  return exitCode === null ? "without anybody knowing how" : `with exit code ${exitCode}`;
}

const LONGEST_START_MS = 5 * 60_000;
const GIVE_UP_STARTS_MS = 30 * 60_000;

/** A start that failed, by an image that cannot be pulled for one; `tries` with this one. */
export function afterFailedStart(
  why: string,
  tries: number,
  firstAt: number,
  now: number,
): AfterEnd {
  if (now - firstAt >= GIVE_UP_STARTS_MS) {
    return { do: "giveUp", reason: `it could not be started for 30 minutes: ${why}` };
  }
  return { do: "again", at: now + Math.min(LONGEST_START_MS, FIRST_MS * 2 ** (tries - 1)) };
}
