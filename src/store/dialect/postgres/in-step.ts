// Verbs side by side: each goes as far as its next query, and those queries make one round. Which
// round trip carries them is for others to say.

import type { Note, Query, Verb } from "../../statement.ts";

/** Yields the queries of each round and is sent what each of them gave. */
export type Rounds<Result> = Generator<Query[], Result, unknown[]>;

/** Runs the verbs in step; their results come back in their order. */
export function* inStep(verbs: Verb<unknown>[], note: (note: Note) => void): Rounds<unknown[]> {
  const strands = verbs.map((verb) => strand(verb, note));
  const steps = strands.map((each) => each.next());
  for (;;) {
    const wanted = steps.flatMap((step) => (step.done ? [] : step.value));
    if (wanted.length === 0) return steps.map((step) => step.value);
    const got = yield wanted;
    let at = 0;
    for (let n = 0; n < strands.length; n++) {
      const step = steps[n]!;
      if (step.done) continue;
      const from = at;
      at += step.value.length;
      steps[n] = strands[n]!.next(got.slice(from, at));
    }
  }
}

function* strand(verb: Verb<unknown>, note: (note: Note) => void): Rounds<unknown> {
  let step = verb.next();
  while (!step.done) {
    const { value } = step;
    if ("sql" in value) step = verb.next((yield [value])[0]);
    else if ("together" in value) step = verb.next(yield* inStep(value.together, note));
    else {
      note(value);
      step = verb.next();
    }
  }
  return step.value;
}
