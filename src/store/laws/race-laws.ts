// Laws of replicas that share a database: whatever they are asked at the same time, there is an order
// in which one store could have been asked all of it and would have answered the same.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { rows, type Verb } from "../statement.ts";
import type { Store } from "../store.ts";
import { checkAlways, expectedOf, type Holdings, holdingsOf } from "./holdings.ts";
import { Model } from "./model.ts";
import { Stage } from "./stage.ts";
import { foresee, Names, perform, type Step, step, WORKERS } from "./step.ts";

/** Opens several stores on one database that nobody else uses and that holds nothing yet. */
export type OpenReplicas = (t: TestContext) => Promise<Store[]>;

/** All at once, each asked of one of the replicas. What passes over what others hold comes alone. */
const moment = fc.array(fc.record({ replica: fc.nat({ max: 1 }), step }), {
  minLength: 2,
  maxLength: 6,
});

export function raceLaws(open: OpenReplicas, histories: number): void {
  test("what replicas answer at the same time, one store could have answered", async (t) => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 20, maxLength: 40 }), async (moments) => {
        const race = await Race.set(open, t);
        for (const each of moments) {
          await race.run(each);
          steps += each.length;
        }
        await race.end();
      }),
      { numRuns: histories },
    );
    t.diagnostic(`${steps} steps`);
  });
}

interface Said {
  each: Step;
  id: string;
  answer: unknown;
}

class Race {
  readonly #stages: Stage[];
  readonly #names = new Names();
  #model = new Model();

  private constructor(stages: Stage[]) {
    this.#stages = stages;
  }

  static async set(open: OpenReplicas, t: TestContext): Promise<Race> {
    const [first, ...others] = await open(t);
    const stage = await Stage.set(async () => first!, t);
    for (const id of WORKERS.slice(1)) await stage.worker(id);
    return new Race([stage, ...others.map((store) => new Stage(store))]);
  }

  async run(asked: { replica: number; step: Step }[]): Promise<void> {
    // These may leave to the next time what somebody else holds.
    const alone = asked.filter(({ step: { do: what } }) => what === "expire" || what === "sweep");
    const together = asked.filter((each) => !alone.includes(each));
    for (const moment of [together, ...alone.map((each) => [each])]) await this.#moment(moment);
    for (const stage of this.#stages) stage.now += 7_000;
  }

  async end(): Promise<void> {
    await Promise.all(this.#stages.map(({ store }) => store.close()));
  }

  async #moment(asked: { replica: number; step: Step }[]): Promise<void> {
    const [stage] = this.#stages;
    const said: Said[] = await Promise.all(
      asked.map(async ({ replica, step: each }) => {
        const id = this.#names.idFor(each);
        const answer = await perform(this.#stages[replica]!, each, id).catch(
          (error: Error) => error.message,
        );
        return { each, id, answer };
      }),
    );
    const held = await holdingsOf(stage!);
    const seqs = new Map((await stage!.store.read(allSeqs)).map(({ id, seq }) => [id, seq]));
    const explained = explain(this.#model, said, held, seqs, stage!.now);
    const expected = expectedOf(this.#model);
    assert.ok(explained, JSON.stringify({ before: expected, said, held }, null, 1));
    this.#model = explained;
    await checkAlways(stage!);
  }
}

/** The model after some order of the steps that gives these answers and holdings, if there is one. */
function explain(
  model: Model,
  said: Said[],
  held: Holdings,
  seqs: Map<string, number>,
  now: number,
): Model | null {
  const search = (before: Model, left: Said[]): Model | null => {
    if (left.length === 0) return isDeepStrictEqual(expectedOf(before), held) ? before : null;
    for (const next of left) {
      const after = before.copy();
      if (!agrees(after, next, said, seqs, now)) continue;
      const found = search(
        after,
        left.filter((each) => each !== next),
      );
      if (found) return found;
    }
    return null;
  };
  return search(model, said);
}

/** Takes the step in the model; true if it answers the same. */
function agrees(
  model: Model,
  { each, id, answer }: Said,
  said: Said[],
  seqs: Map<string, number>,
  now: number,
): boolean {
  if (each.do === "submit") {
    model.submit(id, each.priority, now, each.ttlMs, seqs.get(id));
    return answer === undefined;
  }
  if (each.do !== "claim") return isDeepStrictEqual(foresee(model, each, id, now), answer);
  const got = answer as string[];
  const busy = (job: string) => !got.includes(job) && said.some((other) => touches(other, job));
  return isDeepStrictEqual(model.claim(each.worker, each.most, now, busy), got);
}

/** True where the step may have held the job for a moment. */
function touches({ each, id, answer }: Said, job: string): boolean {
  if (each.do === "purge" || each.do === "fail") return true;
  if (each.do === "claim") return (answer as string[]).includes(job);
  return each.do !== "submit" && id === job;
}

function* allSeqs(): Verb<{ id: string; seq: number }[]> {
  return yield* rows<{ id: string; seq: number }>("select id, seq from job");
}
