// Which queries share a round, and who gets which answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { row, tally, together, type Verb } from "../../statement.ts";
import { inStep } from "./in-step.ts";

function* ask(...names: string[]): Verb<string> {
  let said = "";
  for (const name of names) said += (yield* row<{ answer: string }>(name))?.answer;
  return said;
}

function* askAll(first: string, ...names: string[]): Verb<string[]> {
  const before = yield* ask(first);
  yield* tally("e", 0, { in_queue: 1 });
  return [before, ...(yield* together(names.map((name) => ask(name))))];
}

/** Answers every query with its own text, and notes what each round asked. */
function run(verbs: Verb<unknown>[]) {
  const notes: unknown[] = [];
  const rounds: string[][] = [];
  const steps = inStep(verbs, (note) => notes.push(note));
  let step = steps.next();
  while (!step.done) {
    rounds.push(step.value.map(({ sql }) => sql));
    step = steps.next(step.value.map(({ sql }) => [{ answer: sql }]));
  }
  return { rounds, notes, results: step.value };
}

test("the next query of each goes in the same round, in the order of the verbs", () => {
  const { rounds, results } = run([ask("a", "b"), ask("c"), ask(), ask("d", "e", "f")]);
  assert.deepEqual(rounds, [["a", "c", "d"], ["b", "e"], ["f"]]);
  assert.deepEqual(results, ["ab", "c", "", "def"]);
});

test("what runs together inside a verb shares its rounds with the others", () => {
  const { rounds, results, notes } = run([askAll("a", "b", "c"), ask("d", "e"), together([])]);
  assert.deepEqual(rounds, [
    ["a", "d"],
    ["b", "c", "e"],
  ]);
  assert.deepEqual(results, [["a", "b", "c"], "de", []]);
  assert.equal(notes.length, 1);
});

test("nothing to ask takes no round", () => {
  assert.deepEqual(run([]), { rounds: [], notes: [], results: [] });
});
