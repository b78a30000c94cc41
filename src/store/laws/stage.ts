// A store with an endpoint and workers on it, for the laws: the few calls that flows would make, with
// the time in hand.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { defaultEndpoint } from "../../domain/endpoint/defaults.ts";
import { workloadOf } from "../../domain/endpoint/release.ts";
import { defaultTemplate } from "../../domain/template/defaults.ts";
import { insertAccount } from "../account/account.ts";
import { insertEndpoint } from "../endpoint/endpoint.ts";
import { claimJobs } from "../job/claim.ts";
import { findJob } from "../job/find.ts";
import { finishJob, type Reported, type Result } from "../job/finish.ts";
import { requeueRow } from "../job/give-back.ts";
import type { JobRow } from "../job/row.ts";
import { type NewJob, submitJob } from "../job/submit.ts";
import { row, type Value, type Verb } from "../statement.ts";
import type { Store } from "../store.ts";
import { insertWorker } from "../worker/worker.ts";

/** Opens a store that nobody else uses and that holds nothing yet; it is closed after the test. */
export type OpenStore = (t: TestContext) => Promise<Store>;

export const LEASE_MS = 40_000;
export const KEEP_MS = 60_000;
export const TTL_MS = 3_600_000;

export class Stage {
  readonly store: Store;
  /** Every call happens now. */
  now = 1_800_000_000_000;
  #named = 0;

  constructor(store: Store) {
    this.store = store;
  }

  static async set(open: OpenStore, t: TestContext): Promise<Stage> {
    const stage = new Stage(await open(t));
    const { store, now } = stage;
    await store.write(insertAccount, {
      id: "account",
      name: "first",
      webhookSecret: null,
      createdAt: now,
    });
    await stage.endpoint("e");
    await stage.worker("w");
    return stage;
  }

  async endpoint(id: string): Promise<void> {
    const workload = workloadOf(defaultTemplate("x"));
    const release = { endpointId: id, version: 1, workload, reason: "law", createdAt: this.now };
    const endpoint = defaultEndpoint(id, "account", "template", this.now);
    await this.store.write(insertEndpoint, endpoint, release);
  }

  async worker(id: string, endpointId = "e"): Promise<void> {
    const worker = { id, endpoint_id: endpointId, version: 1, machine: "m", driver: "none" };
    await this.store.write(insertWorker, worker, `hash of ${id}`, this.now);
  }

  newJob(wanted: Partial<NewJob> = {}): NewJob {
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
      webhook: null,
      extras: null,
      input: { inline: "{}" },
      ...wanted,
    };
  }

  async submit(wanted: Partial<NewJob> = {}): Promise<string> {
    const job = this.newJob(wanted);
    await this.store.write(submitJob, job);
    return job.id;
  }

  /** The ids of the jobs that the worker was given. */
  async claim(most = 1, workerId = "w", endpointId = "e"): Promise<string[]> {
    const { store, now } = this;
    const jobs = await store.write(claimJobs, endpointId, workerId, most, now, LEASE_MS);
    return typeof jobs === "string" ? [] : jobs.map(({ id }) => id);
  }

  /** Posts a result: an output, or an error where one is given. */
  async finish(
    jobId: string,
    { by = "w", output = '"out"', error = null as string | null } = {},
  ): Promise<Reported> {
    return this.store.write(finishJob, this.result(jobId, by, error, output));
  }

  result(jobId: string, workerId: string, error: string | null, output = '"out"'): Result {
    const ids = { jobId, endpointId: "e", workerId };
    const kept = { inline: output };
    return { ...ids, now: this.now, output: kept, error, bytes: output.length, awaited: true };
  }

  /** Takes a running job back: because its worker was lost, or by our own doing. */
  async requeue(jobId: string, event: "lose" | "giveBack" = "lose"): Promise<boolean> {
    const job = await this.job(jobId);
    return this.store.write(requeueRow, job, event, "law", this.now);
  }

  async job(id: string): Promise<JobRow> {
    const found = await this.store.read(findJob, id);
    assert.ok(found, `job ${id} is not there`);
    return found;
  }

  async state(id: string): Promise<string> {
    return (await this.job(id)).state;
  }

  /** The first value of one query's first row. */
  async value(sql: string, ...params: Value[]): Promise<unknown> {
    function* ask(): Verb<unknown> {
      const found = yield* row<Record<string, unknown>>(sql, ...params);
      return found && Object.values(found)[0];
    }
    return this.store.read(ask);
  }
}
