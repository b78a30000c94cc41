// Replicas that share a database are linearizable: for any calls at the same time there is an order
// in which a single store would have answered the same.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { rows, type Tx } from "../../../src/store/engine/statement.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { type Contents, checkInvariants, contentsOf, expectedContents } from "./contents.ts";
import { Fixture } from "./fixture.ts";
import { Model } from "./model.ts";
import { expectedAnswer, JobNames, perform, type Step, step, WORKERS } from "./step.ts";

/** Opens several stores on one empty database. */
export type OpenReplicas = (t: TestContext) => Promise<Store[]>;

/** Steps that run at the same time, each on one of the replicas. */
const anyMoment = fc.array(fc.record({ replica: fc.nat({ max: 1 }), step }), {
  minLength: 2,
  maxLength: 6,
});

export function raceConformance(open: OpenReplicas, histories: number): void {
  test("a single store could have given the answers of concurrent replicas", async (t) => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyMoment, { minLength: 20, maxLength: 40 }), async (moments) => {
        const race = await Race.set(open, t);
        for (const each of moments) {
          await race.run(each);
          steps += each.length;
        }
        await race.end();
      }),
      // Smaller histories are not searched: that takes long, and a race need not show again. The failure has its moment.
      { numRuns: histories, endOnFailure: true },
    );
    t.diagnostic(`${steps} steps`);
  });
}

interface Answered {
  each: Step;
  id: string;
  answer: unknown;
}

/** Steps that skip rows which another transaction has locked. */
const SKIPPING = ["release", "expire", "sweep"];

class Race {
  readonly #fixtures: Fixture[];
  readonly #names = new JobNames();
  #model = new Model();

  private constructor(fixtures: Fixture[]) {
    this.#fixtures = fixtures;
  }

  static async set(open: OpenReplicas, t: TestContext): Promise<Race> {
    const [first, ...others] = await open(t);
    const fixture = await Fixture.set(async () => first!, t);
    for (const id of WORKERS.slice(1)) await fixture.worker(id);
    return new Race([fixture, ...others.map((store) => new Fixture(store))]);
  }

  async run(moment: { replica: number; step: Step }[]): Promise<void> {
    // They run alone.
    const alone = moment.filter(({ step: { do: what } }) => SKIPPING.includes(what));
    const together = moment.filter((each) => !alone.includes(each));
    for (const steps of [together, ...alone.map((each) => [each])]) await this.#runAtOnce(steps);
    for (const fixture of this.#fixtures) fixture.now += 7_000;
  }

  async end(): Promise<void> {
    await Promise.all(this.#fixtures.map(({ store }) => store.close()));
  }

  async #runAtOnce(steps: { replica: number; step: Step }[]): Promise<void> {
    const [fixture] = this.#fixtures;
    const answers: Answered[] = await Promise.all(
      steps.map(async ({ replica, step: each }) => {
        const id = this.#names.idFor(each);
        const answer = await perform(this.#fixtures[replica]!, each, id).catch(
          (error: Error) => error.message,
        );
        return { each, id, answer };
      }),
    );
    const contents = await contentsOf(fixture!);
    const seqs = new Map((await fixture!.store.read(allSeqs)).map(({ id, seq }) => [id, seq]));
    const explained = explain(this.#model, answers, contents, seqs, fixture!.now);
    const expected = expectedContents(this.#model);
    assert.ok(explained, JSON.stringify({ before: expected, answers, contents }, null, 1));
    this.#model = explained;
    await checkInvariants(fixture!);
  }
}

/**
 * The model after an order of the steps that gives these answers and contents; null if there is
 * none.
 */
function explain(
  model: Model,
  answers: Answered[],
  contents: Contents,
  seqs: Map<string, number>,
  now: number,
): Model | null {
  const search = (before: Model, left: Answered[]): Model | null => {
    if (left.length === 0)
      return isDeepStrictEqual(expectedContents(before), contents) ? before : null;
    for (const next of left) {
      const after = before.copy();
      if (!agrees(after, next, answers, seqs, now)) continue;
      const found = search(
        after,
        left.filter((each) => each !== next),
      );
      if (found) return found;
    }
    return null;
  };
  return search(model, answers);
}

/** Performs the step in the model; true if the answer is the same. */
function agrees(
  model: Model,
  { each, id, answer }: Answered,
  answers: Answered[],
  seqs: Map<string, number>,
  now: number,
): boolean {
  if (each.do === "submit") {
    model.submit(id, each, now, seqs.get(id));
    return answer === undefined;
  }
  if (each.do !== "claim") return isDeepStrictEqual(expectedAnswer(model, each, id, now), answer);
  const claimed = answer as string[];
  const busy = (job: string) =>
    !claimed.includes(job) && answers.some((other) => touches(other, job));
  return isDeepStrictEqual(model.claim(each.worker, each.limit, now, busy), claimed);
}

/** True if the step may have locked the job for a moment. */
function touches({ each, id, answer }: Answered, job: string): boolean {
  if (each.do === "purge" || each.do === "fail") return true;
  if (each.do === "claim") return (answer as string[]).includes(job);
  return each.do !== "submit" && id === job;
}

function* allSeqs(): Tx<{ id: string; seq: number }[]> {
  return yield* rows<{ id: string; seq: number }>("select id, seq from job");
}
