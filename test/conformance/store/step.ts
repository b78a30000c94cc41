// The steps of random histories, as the store and the model perform them.

import fc from "fast-check";
import type { Tx } from "../../../src/store/engine/statement.ts";
import { lockJob } from "../../../src/store/job/find.ts";
import { endJob, endQueued, expireQueued } from "../../../src/transactions/job/end.ts";
import { finishHeldJob } from "../../../src/transactions/job/finish.ts";
import { forgetEnded } from "../../../src/transactions/job/forget.ts";
import { appendChunk } from "../../../src/transactions/job/output/append-chunk.ts";
import { requeueJob, tryAgain } from "../../../src/transactions/job/requeue.ts";
import { retryJob } from "../../../src/transactions/job/retry.ts";
import { releaseDue } from "../../../src/transactions/job/schedule/release.ts";
import { submitJob } from "../../../src/transactions/job/submit.ts";
import { type Fixture, KEEP_MS, postOf, TTL_MS } from "./fixture.ts";
import type { Model } from "./model.ts";

export const WORKERS = ["w", "w2", "w3"];
const CHOSEN_TTL_MS = 30_000;
const PAUSE_MS = 15_000;

export type Step =
  | { do: "submit"; priority: number; ttlMs: number; delayMs: number }
  | { do: "claim"; worker: string; limit: number }
  | { do: "finish" | "finishHeld"; worker: string; job: number; failed: boolean }
  | { do: "stream"; worker: string; job: number }
  | { do: "end"; job: number; event: "cancel" | "overrun" | "expire" | "giveUp" }
  | { do: "requeue"; job: number; event: "lose" | "requeue" }
  | { do: "tryAgain"; job: number; pauseMs: number }
  | { do: "retry"; job: number }
  | { do: "purge" | "release" | "expire" | "sweep" | "fail" };

/** The job that a step is about, counted back from the latest. */
const job = fc.nat({ max: 12 });
const worker = fc.constantFrom(...WORKERS);
const is = <Name extends string>(...names: Name[]) => fc.constantFrom(...names);

export const step: fc.Arbitrary<Step> = fc.oneof(
  often(8, {
    do: is("submit"),
    priority: fc.integer({ min: -2, max: 2 }),
    ttlMs: fc.constantFrom(TTL_MS, CHOSEN_TTL_MS),
    delayMs: fc.constantFrom(0, 0, 0, PAUSE_MS),
  }),
  often(6, { do: is("claim"), worker, limit: fc.integer({ min: 1, max: 4 }) }),
  often(6, { do: is("finish", "finishHeld"), worker, job, failed: fc.boolean() }),
  often(2, { do: is("stream"), worker, job }),
  often(2, { do: is("end"), job, event: is("cancel", "overrun", "expire", "giveUp") }),
  often(4, { do: is("requeue"), job, event: is("lose", "requeue") }),
  often(3, { do: is("tryAgain"), job, pauseMs: fc.constantFrom(0, PAUSE_MS) }),
  often(3, { do: is("retry"), job }),
  often(2, { do: is("release") }),
  often(2, { do: is("purge", "expire", "sweep", "fail") }),
);

function often<Fields>(
  weight: number,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  return { weight, arbitrary: fc.record(fields) };
}

/** Performs a step in the model; returns its answer. */
export function expectedAnswer(model: Model, each: Step, id: string, now: number): unknown {
  if (each.do === "submit") return model.submit(id, each, now);
  if (each.do === "claim") return model.claim(each.worker, each.limit, now);
  if (each.do === "finish") return model.finish(id, each.worker, each.failed, now);
  if (each.do === "finishHeld") return model.finishHeld(id, each.worker, each.failed, now);
  if (each.do === "stream") return model.stream(id, each.worker);
  if (each.do === "end") return model.end(id, each.event, now);
  if (each.do === "requeue") return model.requeue(id, each.event);
  if (each.do === "tryAgain") return model.tryAgain(id, each.pauseMs, now);
  if (each.do === "release") return model.release(now);
  if (each.do === "retry") return model.retry(id, now);
  if (each.do === "purge") return model.purge(now);
  if (each.do === "expire") return model.expire(now);
  return each.do === "sweep" ? model.sweep(now) : "no";
}

/** Performs a step in the store; `id` is the id of the step's job. */
export function perform(fixture: Fixture, each: Step, id: string): Promise<unknown> {
  const { store, now } = fixture;
  switch (each.do) {
    case "submit": {
      const { priority, ttlMs, delayMs } = each;
      const startAt = delayMs > 0 ? now + delayMs : null;
      return store.write(submitJob, fixture.newJob({ id, priority, ttlMs, startAt }));
    }
    case "claim":
      return fixture.claim(each.limit, each.worker);
    case "finish":
      return fixture.finish(id, { by: each.worker, error: each.failed ? "no" : null });
    case "finishHeld":
      return store.write(finishHeldJob, fixture.result(id, each.worker, each.failed ? "no" : null));
    case "stream":
      return store.write(appendChunk, postOf(id, each.worker), ONE, 1, now);
    case "end":
      return store.write(endJob, id, { event: each.event, error: "test" }, now);
    case "requeue":
      return each.event === "lose"
        ? store.write(tryAgainLater, id, now, now)
        : store.write(requeue, id, now);
    case "tryAgain":
      return store.write(tryAgainLater, id, now + each.pauseMs, now);
    case "release":
      return store.write(releaseDue, now, ALL);
    case "retry":
      return store.write(retry, id, now);
    case "purge":
      return store.write(endQueued, "e", { event: "purge", error: "test" }, now, ALL);
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

function* requeue(id: string, now: number): Tx<boolean> {
  const found = yield* lockJob(id);
  return found?.state === "IN_PROGRESS" && (yield* requeueJob(found, "test", now));
}

function* tryAgainLater(id: string, at: number, now: number): Tx<boolean> {
  const found = yield* lockJob(id);
  if (found?.state !== "IN_PROGRESS") return false;
  const attempt = { evidence: "test", at, endedWorker: false, stillRuns: false };
  yield* tryAgain(found, attempt, now);
  return true;
}

function* retry(id: string, now: number): Tx<boolean> {
  return (yield* retryJob(id, "e", now)) === null;
}

/** Changes many rows and then fails, so that none of the changes may remain. */
function* fail(now: number): Tx<void> {
  yield* endQueued("e", { event: "purge", error: "test" }, now, ALL);
  yield* forgetEnded(now + KEEP_MS, ALL);
  throw new Error("no");
}

/** The ids of jobs: new ones for submissions, and the ones that steps count back to. */
export class JobNames {
  readonly #ids: string[] = [];

  idFor(each: Step): string {
    if (each.do === "submit") this.#ids.push(`job-${this.#ids.length}`);
    return this.#ids.at("job" in each ? -1 - each.job : -1) ?? "none";
  }
}
