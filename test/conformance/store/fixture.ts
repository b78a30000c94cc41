// A store with an account, an endpoint and a worker, and the calls that flows make on it at a time
// that the test sets.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { defaultEndpoint } from "../../../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../../../src/domain/endpoint/release.ts";
import type { Job, NewJob } from "../../../src/domain/job/job.ts";
import { defaultTemplate } from "../../../src/domain/template/template.ts";
import { insertAccount } from "../../../src/store/account/account.ts";
import { insertEndpoint } from "../../../src/store/endpoint/endpoint.ts";
import { row, type Tx, type Value } from "../../../src/store/engine/statement.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { findJob } from "../../../src/store/job/find.ts";
import { claimJobs } from "../../../src/transactions/job/claim.ts";
import { finishJob, type JobResult } from "../../../src/transactions/job/finish.ts";
import type { PostSubject, Reported } from "../../../src/transactions/job/report.ts";
import { requeueJob, tryAgain } from "../../../src/transactions/job/requeue.ts";
import { submitJob } from "../../../src/transactions/job/submit.ts";
import { insertWorker } from "../../../src/transactions/worker/insert.ts";

/** Opens an empty store for one test; it is closed after the test. */
export type OpenStore = (t: TestContext) => Promise<Store>;

export const LEASE_MS = 40_000;
export const KEEP_MS = 60_000;
export const TTL_MS = 3_600_000;

/** What a post of the fixture's worker, or of another one, names. */
export const postOf = (jobId: string, workerId = "w"): PostSubject => ({
  jobId,
  endpointId: "e",
  workerId,
});

export class Fixture {
  readonly store: Store;
  /** The time of every call. */
  now = 1_800_000_000_000;
  #named = 0;

  constructor(store: Store) {
    this.store = store;
  }

  static async set(open: OpenStore, t: TestContext): Promise<Fixture> {
    const fixture = new Fixture(await open(t));
    await fixture.prepare();
    return fixture;
  }

  async prepare(): Promise<void> {
    const { store, now } = this;
    await store.write(insertAccount, {
      id: "account",
      name: "first",
      webhookSecret: null,
      createdAt: now,
    });
    await this.endpoint("e");
    await this.worker("w");
  }

  async endpoint(id: string): Promise<void> {
    const workload = workloadOf(defaultTemplate("x"));
    const release = { endpointId: id, version: 1, workload, reason: "test", createdAt: this.now };
    const endpoint = defaultEndpoint(id, "account", "template", this.now);
    await this.store.write(insertEndpoint, endpoint, release);
  }

  async worker(id: string, endpointId = "e"): Promise<void> {
    const worker = { id, endpointId: endpointId, version: 1, machine: "m", driver: "none" };
    await this.store.write(insertWorker, worker, `hash of ${id}`, this.now);
  }

  newJob(overrides: Partial<NewJob> = {}): NewJob {
    return {
      id: `job-${this.#named++}`,
      endpointId: "e",
      sync: false,
      priority: 0,
      lowPriority: false,
      now: this.now,
      ttlMs: TTL_MS,
      executionMs: 600_000,
      keepMs: KEEP_MS,
      failureKeepMs: KEEP_MS,
      webhook: null,
      retry: null,
      concurrency: null,
      rateLimit: null,
      startAt: null,
      extras: null,
      trace: null,
      batch: null,
      input: { inline: "{}" },
      ...overrides,
    };
  }

  async submit(overrides: Partial<NewJob> = {}): Promise<string> {
    const job = this.newJob(overrides);
    await this.store.write(submitJob, job);
    return job.id;
  }

  /** In one batch. */
  submitAll(n: number, overrides: Partial<NewJob>): Promise<string[]> {
    return Promise.all(Array.from({ length: n }, () => this.submit(overrides)));
  }

  /** Returns the ids of the jobs that the worker claimed. */
  async claim(limit = 1, workerId = "w", endpointId = "e"): Promise<string[]> {
    const { store, now } = this;
    const jobs = await store.write(claimJobs, { endpointId, workerId }, limit, now, LEASE_MS);
    return jobs.map(({ id }) => id);
  }

  /** Posts a result: an output, or an error if there is one. */
  async finish(
    jobId: string,
    { by = "w", output = '"out"', error = null as string | null } = {},
  ): Promise<Reported> {
    return this.store.write(finishJob, this.result(jobId, by, error, output));
  }

  result(jobId: string, workerId: string, error: string | null, output = '"out"'): JobResult {
    const ids = { jobId, endpointId: "e", workerId };
    const text = { inline: output };
    const post = { output: text, error, bytes: output.length };
    return { ...ids, ...post, now: this.now, draw: 0, awaited: true };
  }

  /** Requeues a running job, because its worker was lost or by request. */
  async requeue(jobId: string, event: "lose" | "requeue" = "lose"): Promise<boolean> {
    const job = await this.job(jobId);
    if (job.state !== "IN_PROGRESS") return false;
    if (event === "requeue") return this.store.write(requeueJob, job, "test", this.now);
    const attempt = { evidence: "test", at: this.now, endedWorker: false, stillRuns: false };
    await this.store.write(tryAgain, job, attempt, this.now);
    return true;
  }

  async job(id: string): Promise<Job> {
    const found = await this.store.read(findJob, id, this.now);
    assert.ok(found, `job ${id} is not there`);
    return found;
  }

  async state(id: string): Promise<string> {
    return (await this.job(id)).state;
  }

  /** The first value of one query's first row. */
  async value(sql: string, ...params: Value[]): Promise<unknown> {
    function* ask(): Tx<unknown> {
      const found = yield* row<Record<string, unknown>>(sql, ...params);
      return found && Object.values(found)[0];
    }
    return this.store.read(ask);
  }
}
