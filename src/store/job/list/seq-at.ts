// The sequence number at an instant. Numbers rise with the time of submission, so that a binary search over
// the primary key finds it without an index of times.

import { row, type Tx } from "../../engine/statement.ts";

/** Replicas number their jobs in the order of commits, which differs from the order of times by less. */
const MAX_DISORDER_MS = 60_000;

/** No job before this number was submitted at the instant or later. */
export function* firstSeqSince(at: number): Tx<number> {
  return yield* search(at - MAX_DISORDER_MS);
}

/** No job from this number on was submitted before the instant. */
export function* endSeqUntil(at: number): Tx<number> {
  return yield* search(at + MAX_DISORDER_MS);
}

function* search(at: number): Tx<number> {
  const first = yield* row<{ n: number | null }>("select min(seq) as n from job");
  const last = yield* row<{ n: number | null }>("select max(seq) as n from job");
  if (first?.n == null || last?.n == null) return 0;
  let [low, high] = [Number(first.n), Number(last.n) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = yield* row<{ seq: number; submitted_at: number }>(
      "select seq, submitted_at from job where seq >= ? order by seq limit 1",
      middle,
    );
    if (!found || found.submitted_at >= at) high = middle;
    else low = Number(found.seq) + 1;
  }
  return low;
}
