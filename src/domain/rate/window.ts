// A sliding-window rate limiter. Requests of the previous window count in proportion to its overlap
// with the last `ms` milliseconds. Pure.

export interface RateWindow {
  start: number;
  count: number;
  /** Requests in the previous window. */
  before: number;
}

export interface WindowStep {
  window: RateWindow;
  /** Requests that are still allowed now. */
  left: number;
  /** The time until a request is allowed; null if this one is. */
  waitMs: number | null;
}

/** A request at `now`, of `limit` per `ms`. A rejected request does not count. */
export function admit(
  last: RateWindow | undefined,
  limit: number,
  ms: number,
  now: number,
): WindowStep {
  const window = windowAt(last, ms, now);
  const passed = now - window.start;
  const used = window.count + window.before * (1 - passed / ms);
  if (used + 1 > limit) return { window, left: 0, waitMs: waitMs(window, limit, ms, passed) };
  const counted = { ...window, count: window.count + 1 };
  return { window: counted, left: Math.floor(limit - used - 1), waitMs: null };
}

function windowAt(last: RateWindow | undefined, ms: number, now: number): RateWindow {
  const start = Math.floor(now / ms) * ms;
  if (last?.start === start) return last;
  return { start, count: 0, before: last?.start === start - ms ? last.count : 0 };
}

/** The time until enough earlier requests have left the window: within this window or the next. */
function waitMs({ count, before }: RateWindow, limit: number, ms: number, passed: number): number {
  const within = slid(before, limit - 1 - count, ms);
  if (within <= ms) return Math.max(1, within - passed);
  return Math.max(1, ms - passed + slid(count, limit - 1, ms));
}

/**
 * The offset in a window at which at most `room` of `before` still count; beyond its end if never.
 */
function slid(before: number, room: number, ms: number): number {
  if (before <= room) return 0;
  return room < 0 ? Number.POSITIVE_INFINITY : Math.ceil(ms * (1 - room / before));
}
