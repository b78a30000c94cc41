// The times that a reservation may have, and whether a change of one takes more than it had. Pure.

import { MINUTE_MS } from "../../base/units.ts";
import { type Reservation, SHORTEST_MINUTES } from "./reservation.ts";

/** A request for one that begins now may be on its way for so long. */
const TRANSIT_MS = 30_000;

type Times = Pick<Reservation, "from" | "until">;

/** A sentence about times that a new reservation cannot have; null if it can. */
export function timeError({ from, until }: Times, now: number): string | null {
  if (until <= now) return '"until" is in the past.';
  if (until <= from) return '"until" must be after "from".';
  const transitMs = from === now ? TRANSIT_MS : 0;
  if (until - from < SHORTEST_MINUTES * MINUTE_MS - transitMs) {
    const start = from === now ? "now" : '"from"';
    return `"until" must be at least ${SHORTEST_MINUTES} minutes after ${start}.`;
  }
  return null;
}

/** When a reservation begins after a change: a time in the past is now, and one that has begun already stays as it is. */
export function changedStart(before: number, requested: number | undefined, now: number): number {
  if (requested === undefined || Math.max(before, requested) <= now) return before;
  return Math.max(requested, now);
}

/** A sentence about a change that is not possible; null if it is. Times that stay as they are need no check. */
export function changeError(before: Times, after: Times, now: number): string | null {
  if (before.until <= now) return "The reservation has ended; create another one.";
  const isSameTime = before.from === after.from && before.until === after.until;
  return isSameTime ? null : timeError(after, now);
}

/** Whether it has a time that it did not have. */
export const takesTime = (before: Times, after: Times) =>
  after.from < before.from || after.until > before.until;

/** Whether it holds GPUs at a time at which it held fewer or none. */
export function takesMore(
  before: Times & Pick<Reservation, "gpuCount">,
  after: Times & Pick<Reservation, "gpuCount">,
): boolean {
  return after.gpuCount > before.gpuCount || takesTime(before, after);
}
