// Interleaving of transactions: each runs up to its next query, and these queries share a round trip. The
// caller decides how the round trips are made.

import type { Note, Query, Tx } from "../statement.ts";

/** Yields the queries of each round trip and is sent their results. */
export type Trips<Result> = Generator<Query[], Result, unknown[]>;

/** Returns the results in the order of the transactions; `n` tells which of them noted something. */
export function* interleave(
  transactions: Tx<unknown>[],
  note: (note: Note, n: number) => void,
): Trips<unknown[]> {
  const strands = transactions.map((each, n) => strand(each, (noted) => note(noted, n)));
  const steps = strands.map((each) => each.next());
  for (;;) {
    const queries = steps.flatMap((step) => (step.done ? [] : step.value));
    if (queries.length === 0) return steps.map((step) => step.value);
    const results = yield queries;
    let end = 0;
    for (let n = 0; n < strands.length; n++) {
      const step = steps[n]!;
      if (step.done) continue;
      const start = end;
      end += step.value.length;
      steps[n] = strands[n]!.next(results.slice(start, end));
    }
  }
}

/** One transaction, whose own concurrent parts share its round trips. */
function* strand(transaction: Tx<unknown>, note: (note: Note) => void): Trips<unknown> {
  let step = transaction.next();
  while (!step.done) {
    const { value } = step;
    if ("sql" in value) step = transaction.next((yield [value])[0]);
    else if ("together" in value) step = transaction.next(yield* interleave(value.together, note));
    else if ("soleWriter" in value) step = transaction.next(false);
    else {
      note(value);
      step = transaction.next();
    }
  }
  return step.value;
}
