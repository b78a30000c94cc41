// Counts requests in a window that slides: what came in the one before counts by how much of it is
// still within the last so many milliseconds. Pure.

export interface Window {
  start: number;
  count: number;
  /** How many came in the one before. */
  before: number;
}

export interface Step {
  window: Window;
  /** How many more may come now. */
  left: number;
  /** Until one may come; null where this one may. */
  waitMs: number | null;
}

/** One more request at `now`, of `most` in `ms`. A refused one is not counted. */
export function admit(last: Window | undefined, most: number, ms: number, now: number): Step {
  const window = windowAt(last, ms, now);
  const passed = now - window.start;
  const used = window.count + window.before * (1 - passed / ms);
  if (used + 1 > most) return { window, left: 0, waitMs: waitMs(window, most, ms, passed) };
  const counted = { ...window, count: window.count + 1 };
  return { window: counted, left: Math.floor(most - used - 1), waitMs: null };
}

function windowAt(last: Window | undefined, ms: number, now: number): Window {
  const start = Math.floor(now / ms) * ms;
  if (last?.start === start) return last;
  return { start, count: 0, before: last?.start === start - ms ? last.count : 0 };
}

/** Until what came before has slid out far enough; within this window or the next. */
function waitMs({ count, before }: Window, most: number, ms: number, passed: number): number {
  const within = slid(before, most - 1 - count, ms);
  if (within <= ms) return Math.max(1, within - passed);
  return Math.max(1, ms - passed + slid(count, most - 1, ms));
}

/** How far into a window no more than `room` of `before` is left; beyond its end where never. */
function slid(before: number, room: number, ms: number): number {
  if (before <= room) return 0;
  return room < 0 ? Number.POSITIVE_INFINITY : Math.ceil(ms * (1 - room / before));
}
