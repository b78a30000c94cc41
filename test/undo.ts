// What a test made is undone in the reverse order of its making, all of it, also where one part of that
// fails: hooks by themselves run first to last, and end at the first that throws.

import type { TestContext } from "node:test";

type Step = () => unknown;
const made = new WeakMap<TestContext, Step[]>();

/** Has a step taken when the test is over, before those that were named earlier. */
export function undo(t: TestContext, step: Step): void {
  const steps = made.get(t);
  if (steps) return void steps.push(step);
  const first = [step];
  made.set(t, first);
  t.after(() => undoAll(first));
}

async function undoAll(steps: Step[]): Promise<void> {
  const faults: unknown[] = [];
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, "Several things were not undone.");
}
