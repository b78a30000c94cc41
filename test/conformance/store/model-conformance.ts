// Long random histories: for any steps in any order and in batches of any size, the store answers
// and contains what the model does.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkInvariants, contentsOf, expectedContents } from "./contents.ts";
import { Fixture, KEEP_MS, type OpenStore } from "./fixture.ts";
import { Model } from "./model.ts";
import { expectedAnswer, JobNames, perform, type Step, step, WORKERS } from "./step.ts";

/** Steps that share a batch, and how much time passes after it. */
const anyBatch = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  passesMs: fc.constantFrom(0, 1, 1_000, 20_000, KEEP_MS),
});

/** `sorted`: the store sorts the calls of a batch by their kind, so only batches in this order have one outcome. */
export function modelConformance(open: OpenStore, histories: number, sorted: boolean): void {
  test("the store answers and contains what the model does", async (t) => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyBatch, { minLength: 20, maxLength: 80 }), async (batches) => {
        const trial = new Trial(await Fixture.set(open, t));
        for (const id of WORKERS.slice(1)) await trial.fixture.worker(id);
        for (const { steps, passesMs } of batches)
          await trial.runBatch(sorted ? inOrder(steps) : steps, passesMs);
        await trial.fixture.store.close();
        steps += batches.reduce((sum, each) => sum + each.steps.length, 0);
      }),
      { numRuns: histories },
    );
    t.diagnostic(`${steps} steps`);
  });
}

const KINDS = ["submit", "claim", "finishHeld"];

function inOrder(steps: Step[]): Step[] {
  const rank = ({ do: kind }: Step) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

/** One history, performed in the store and in the model. */
class Trial {
  readonly fixture: Fixture;
  readonly #model = new Model();
  readonly #names = new JobNames();

  constructor(fixture: Fixture) {
    this.fixture = fixture;
  }

  /**
   * Performs the steps at once, so that they share a batch, and compares the store with the model.
   */
  async runBatch(steps: Step[], passesMs: number): Promise<void> {
    const calls = steps.map((each) => {
      const id = this.#names.idFor(each);
      const expected = expectedAnswer(this.#model, each, id, this.fixture.now);
      return { each, answer: perform(this.fixture, each, id), expected };
    });
    for (const { each, answer, expected } of calls) {
      const actual = await answer.catch((error: Error) => error.message);
      assert.deepEqual(actual, expected, JSON.stringify(each));
    }
    assert.deepEqual(await contentsOf(this.fixture), expectedContents(this.#model));
    await checkInvariants(this.fixture);
    this.fixture.now += passesMs;
  }
}
