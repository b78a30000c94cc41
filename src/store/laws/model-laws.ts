// Laws over long random histories: whatever is done in whatever order, and however much of it in one
// turn, the store says and holds what the model does.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkAlways, expectedOf, holdingsOf } from "./holdings.ts";
import { Model } from "./model.ts";
import { KEEP_MS, type OpenStore, Stage } from "./stage.ts";
import { foresee, Names, perform, type Step, step, WORKERS } from "./step.ts";

/** Steps of one turn, and how much time passes after it. */
const turn = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  passesMs: fc.constantFrom(0, 1, 1_000, 20_000, KEEP_MS),
});

export function modelLaws(open: OpenStore, histories: number): void {
  test("the store answers and holds what the model does", async (t) => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 20, maxLength: 80 }), async (turns) => {
        const trial = new Trial(await Stage.set(open, t));
        for (const id of WORKERS.slice(1)) await trial.stage.worker(id);
        for (const each of turns) await trial.turn(each.steps, each.passesMs);
        await trial.stage.store.close();
        steps += turns.reduce((sum, each) => sum + each.steps.length, 0);
      }),
      { numRuns: histories },
    );
    t.diagnostic(`${steps} steps`);
  });
}

/** One history, told to the store and to the model. */
class Trial {
  readonly stage: Stage;
  readonly #model = new Model();
  readonly #names = new Names();

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Tells both all the steps at once, so that they share a turn, and compares. */
  async turn(steps: Step[], passesMs: number): Promise<void> {
    const said = steps.map((each) => {
      const id = this.#names.idFor(each);
      const expected = foresee(this.#model, each, id, this.stage.now);
      return { each, answer: perform(this.stage, each, id), expected };
    });
    for (const { each, answer, expected } of said) {
      const got = await answer.catch((error: Error) => error.message);
      assert.deepEqual(got, expected, JSON.stringify(each));
    }
    assert.deepEqual(await holdingsOf(this.stage), expectedOf(this.#model));
    await checkAlways(this.stage);
    this.stage.now += passesMs;
  }
}
