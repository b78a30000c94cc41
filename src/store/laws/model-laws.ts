// Laws over long random histories: whatever is done in whatever order, and however much of it in one
// turn, the store says and holds what the model does.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { appendChunk } from "../job/chunk.ts";
import { expireQueued, forgetEnded } from "../job/due.ts";
import { endJob, endQueued } from "../job/end.ts";
import { findJob } from "../job/find.ts";
import { finishHeld } from "../job/finish.ts";
import { requeueRow } from "../job/give-back.ts";
import { tallyOf } from "../job/load.ts";
import { retryJob } from "../job/retry.ts";
import { submitJob } from "../job/submit.ts";
import { rows, type Verb } from "../statement.ts";
import { Model } from "./model.ts";
import { KEEP_MS, type OpenStore, Stage, TTL_MS } from "./stage.ts";

const WORKERS = ["w", "w2", "w3"];
const CHOSEN_TTL_MS = 30_000;

type Step =
  | { do: "submit"; priority: number; ttlMs: number }
  | { do: "claim"; worker: string; most: number }
  | { do: "finish" | "finishHeld"; worker: string; job: number; failed: boolean }
  | { do: "stream"; worker: string; job: number }
  | { do: "end"; job: number; event: "cancel" | "overrun" | "expire" | "giveUp" }
  | { do: "requeue"; job: number; event: "lose" | "giveBack" }
  | { do: "retry"; job: number }
  | { do: "purge" | "expire" | "sweep" | "fail" };

/** Which job a step is about, counted back from the latest. */
const job = fc.nat({ max: 12 });
const worker = fc.constantFrom(...WORKERS);
const is = <Name extends string>(...names: Name[]) => fc.constantFrom(...names);

const step: fc.Arbitrary<Step> = fc.oneof(
  often(8, {
    do: is("submit"),
    priority: fc.integer({ min: -2, max: 2 }),
    ttlMs: fc.constantFrom(TTL_MS, CHOSEN_TTL_MS),
  }),
  often(6, { do: is("claim"), worker, most: fc.integer({ min: 1, max: 4 }) }),
  often(6, { do: is("finish", "finishHeld"), worker, job, failed: fc.boolean() }),
  often(2, { do: is("stream"), worker, job }),
  often(2, { do: is("end"), job, event: is("cancel", "overrun", "expire", "giveUp") }),
  often(4, { do: is("requeue"), job, event: is("lose", "giveBack") }),
  often(3, { do: is("retry"), job }),
  often(2, { do: is("purge", "expire", "sweep", "fail") }),
);

function often<Fields>(
  weight: number,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  return { weight, arbitrary: fc.record(fields) };
}

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
  readonly #ids: string[] = [];

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Tells both all the steps at once, so that they share a turn, and compares. */
  async turn(steps: Step[], passesMs: number): Promise<void> {
    const said = steps.map((each) => {
      const id = this.#idFor(each);
      return { each, answer: perform(this.stage, each, id), expected: this.#foresee(each, id) };
    });
    for (const { each, answer, expected } of said) {
      const got = await answer.catch((error: Error) => error.message);
      assert.deepEqual(got, expected, JSON.stringify(each));
    }
    await this.#compare();
    this.stage.now += passesMs;
  }

  #idFor(each: Step): string {
    if (each.do === "submit") this.#ids.push(`job-${this.#ids.length}`);
    return this.#ids.at("job" in each ? -1 - each.job : -1) ?? "none";
  }

  #foresee(each: Step, id: string): unknown {
    const model = this.#model;
    const { now } = this.stage;
    if (each.do === "submit") return model.submit(id, each.priority, now, each.ttlMs);
    if (each.do === "claim") return model.claim(each.worker, each.most, now);
    if (each.do === "finish") return model.finish(id, each.worker, each.failed, now);
    if (each.do === "finishHeld") return model.finishHeld(id, each.worker, each.failed, now);
    if (each.do === "stream") return model.stream(id, each.worker);
    if (each.do === "end") return model.end(id, each.event, now);
    if (each.do === "requeue") return model.requeue(id, each.event);
    if (each.do === "retry") return model.retry(id, now);
    if (each.do === "purge") return model.purge(now);
    if (each.do === "expire") return model.expire(now);
    return each.do === "sweep" ? model.sweep(now) : "no";
  }

  async #compare(): Promise<void> {
    const { store } = this.stage;
    const held = await store.read(allJobs);
    const expected = this.#model.jobs.map((each) => ({
      id: each.id,
      state: each.state,
      worker_id: each.holder,
      attempts: each.attempts,
      retries: each.retries,
      chunks: each.chunks,
      ttl_at: each.ttlAt,
    }));
    assert.deepEqual(held, expected);
    assert.deepEqual({ ...(await store.read(tallyOf, "e")) }, this.#model.counts());
    for (const sql of NEVER) assert.equal(await this.stage.value(sql), 0, sql);
  }
}

/** What must not be found at any time. */
const NEVER = [
  "select count(*) from chunk where job_seq not in (select seq from job)",
  "select count(*) from attempt where job_seq not in (select seq from job)",
  "select count(*) from late_post where job_seq not in (select seq from job)",
  `select count(*) from job where chunks <>
     (select count(*) from chunk where chunk.job_seq = job.seq)`,
  `select count(*) from job where state = 'IN_PROGRESS'
     and (worker_id is null or taken_at is null or lease_until is null)`,
  `select count(*) from job where state not in ('IN_QUEUE', 'IN_PROGRESS')
     and (finished_at is null or forget_at is null)`,
  `select count(*) from job where state in ('IN_QUEUE', 'IN_PROGRESS')
     and (finished_at is not null or error is not null or forget_at is not null)`,
];

function* allJobs(): Verb<object[]> {
  const columns = "id, state, worker_id, attempts, retries, chunks, ttl_at";
  const found = yield* rows<object>(`select ${columns} from job order by seq`);
  return found.map((each) => ({ ...each }));
}

function perform(stage: Stage, each: Step, id: string): Promise<unknown> {
  const { store, now } = stage;
  switch (each.do) {
    case "submit": {
      const { priority, ttlMs } = each;
      return store.write(submitJob, stage.newJob({ id, priority, ttlMs }));
    }
    case "claim":
      return stage.claim(each.most, each.worker);
    case "finish":
      return stage.finish(id, { by: each.worker, error: each.failed ? "no" : null });
    case "finishHeld":
      return store.write(finishHeld, stage.result(id, each.worker, each.failed ? "no" : null));
    case "stream":
      return store.write(appendChunk, id, "e", each.worker, ONE, 1, now);
    case "end":
      return store.write(endJob, id, each.event, "law", now);
    case "requeue":
      return store.write(requeue, id, each.event, now);
    case "retry":
      return store.write(retry, id, now);
    case "purge":
      return store.write(endQueued, "e", "purge", "law", now, ALL);
    case "expire":
      return store.write(expireQueued, now, ALL).then(() => undefined);
    case "sweep":
      return store.write(forgetEnded, now, ALL).then(() => undefined);
    case "fail":
      return store.write(fail, now);
  }
}

const ONE = { output: "1", metrics: null };
const ALL = 10_000;

function* requeue(id: string, event: "lose" | "giveBack", now: number): Verb<boolean> {
  const found = yield* findJob(id);
  return found !== undefined && (yield* requeueRow(found, event, "law", now));
}

function* retry(id: string, now: number): Verb<boolean> {
  return (yield* retryJob(id, "e", now))?.moved ?? false;
}

/** Does a lot and then fails: none of it may be seen. */
function* fail(now: number): Verb<void> {
  yield* endQueued("e", "purge", "law", now, ALL);
  yield* forgetEnded(now + KEEP_MS, ALL);
  throw new Error("no");
}
