// The cold start that a ready worker shows.

import assert from "node:assert/strict";

interface ReadyWorker {
  createdAt: string;
  readyAt: string;
  coldStart: { part: string; startedAt: string; endedAt: string }[];
}

/** The parts with their durations; each must begin where the one before it ends. */
export function coldStartOf({ createdAt, readyAt, coldStart }: ReadyWorker) {
  const ends = coldStart.map(({ endedAt }) => endedAt);
  const begins = coldStart.map(({ startedAt }) => startedAt);
  assert.deepEqual([...begins, readyAt], [createdAt, ...ends]);
  return coldStart.map(({ part, startedAt, endedAt }) => {
    return { part, ms: Date.parse(endedAt) - Date.parse(startedAt) };
  });
}
