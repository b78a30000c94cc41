// The answers to requests of a load-balancing endpoint, as counts: by class of status and by duration. Pure.

import { durationBucket } from "../job/durations.ts";

/** The number of requests by size class of their duration. */
export type Sizes = Map<number, number>;

export interface AnswerCounts {
  /** Counts by the first digit of the status; 0 had no answer. */
  classes: Map<number, number>;
  durations: Sizes;
  /** The times to the head of the answer. */
  firstBytes: Sizes;
}

export interface EndedRequest {
  /** Null if there was no answer, as `firstByteMs`. */
  status: number | null;
  ms: number;
  firstByteMs: number | null;
}

export const noAnswers = (): AnswerCounts => {
  return { classes: new Map(), durations: new Map(), firstBytes: new Map() };
};

export function addAnswer(counts: AnswerCounts, { status, ms, firstByteMs }: EndedRequest): void {
  addTo(counts.classes, status === null ? 0 : Math.floor(status / 100), 1);
  addTo(counts.durations, durationBucket(ms), 1);
  if (firstByteMs !== null) addTo(counts.firstBytes, durationBucket(firstByteMs), 1);
}

export function addAnswers(counts: AnswerCounts, more: AnswerCounts): void {
  for (const kind of ["classes", "durations", "firstBytes"] as const) {
    for (const [key, n] of more[kind]) addTo(counts[kind], key, n);
  }
}

const addTo = (counts: Map<number, number>, key: number, n: number) =>
  counts.set(key, (counts.get(key) ?? 0) + n);
