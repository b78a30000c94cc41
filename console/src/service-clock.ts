// The service's clock, which a virtual clock moves away from the browser's. Answers carry it in a header then.

const HEADER = "freehold-clock";

let aheadMs = 0;
const listeners = new Set<() => void>();

/** Its current instant, in ms since the epoch. */
export const serviceNow = (): number => Date.now() + aheadMs;

export function readServiceClock({ headers }: Response): void {
  const instant = headers.get(HEADER);
  if (instant === null) return;
  const ms = Date.parse(instant) - Date.now();
  // An answer takes a moment, and a time must not flicker with it.
  if (Number.isNaN(ms) || Math.abs(ms - aheadMs) < 500) return;
  aheadMs = ms;
  for (const listener of listeners) listener();
}

/** Calls the listener when the clock was moved. Returns the end of that. */
export function onClockMove(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
