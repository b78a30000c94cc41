// Gives back the memory that a burst of work leaves behind. V8 keeps it while little happens: the room of young objects grows
// with those that live for longer, and dead old objects stay until so many more have come.

import { getHeapStatistics } from "node:v8";
import { type Clock, idleTicks } from "../../base/clock.ts";
import { freeUnused } from "../../base/memory.ts";
import { MIB } from "../../base/units.ts";

export interface Heap {
  /** How long the event loop has waited, of the process's life. */
  idleMs(): number;
  /** With what is dead or free in it. */
  bytes(): number;
  free(): void;
}

const ownHeap: Heap = {
  idleMs: idleTicks,
  bytes: () => getHeapStatistics().total_heap_size,
  free: freeUnused,
};

/** The loops have made their first passes by then. */
const FIRST_MS = 3_000;
const PERIOD_MS = 5_000;
/** The idle share of a quiet period. A collection of 100 MB takes some 100 ms, for which requests wait. */
const QUIET_SHARE = 0.5;
/** Less is soon in use again. */
const MIN_GROWTH_BYTES = 32 * MIB;
/** A share of what stays in use, all of which a collection marks: one of a large heap takes seconds. */
const MIN_GROWTH_SHARE = 0.5;
/** A service that works at intervals needs the memory each time. */
const MIN_INTERVAL_MS = 60_000;

/** Frees what the start has used, and later what has grown by the time that the service is quiet. */
export function freeWhenQuiet(clock: Clock, heap: Heap = ownHeap): void {
  let [periodStart, idleBefore] = [clock.ticks(), heap.idleMs()];
  let bytesAfter = 0;
  let dueAt = 0;
  const free = () => {
    heap.free();
    bytesAfter = heap.bytes();
  };
  const check = () => {
    const [now, idleMs] = [clock.ticks(), heap.idleMs()];
    const isQuiet = idleMs - idleBefore >= QUIET_SHARE * (now - periodStart);
    const minGrowth = Math.max(MIN_GROWTH_BYTES, MIN_GROWTH_SHARE * bytesAfter);
    if (isQuiet && now >= dueAt && heap.bytes() - bytesAfter >= minGrowth) {
      free();
      dueAt = now + MIN_INTERVAL_MS;
    }
    periodStart = now;
    idleBefore = idleMs;
    clock.after(PERIOD_MS, check);
  };
  clock.after(FIRST_MS, () => {
    free();
    check();
  });
}
