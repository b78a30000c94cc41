// Conformance of batches: each item becomes one job, and the counts stay exact.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Batch, countItems } from "../../../../src/domain/batch/batch.ts";
import { findBatch } from "../../../../src/store/batch/batch.ts";
import { deliveriesOf } from "../../../../src/store/delivery/delivery.ts";
import { findEndpoint, markEndpointDeleted } from "../../../../src/store/endpoint/endpoint.ts";
import { listJobs } from "../../../../src/store/job/list/list-jobs.ts";
import { countJobsOfBatch } from "../../../../src/store/job/list/of-batch.ts";
import { cancelBatch, cancelJobsOfBatch } from "../../../../src/transactions/batch/cancel.ts";
import { createBatchOnce } from "../../../../src/transactions/batch/create.ts";
import { finishBatch, forgetBatches } from "../../../../src/transactions/batch/finish.ts";
import { cancelOfDeleted, submitItems } from "../../../../src/transactions/batch/submit-items.ts";
import { createOnce } from "../../../../src/transactions/idempotency/create-once.ts";
import { forgetEnded } from "../../../../src/transactions/job/forget.ts";
import { retryJob } from "../../../../src/transactions/job/retry.ts";
import { checkInvariants } from "../contents.ts";
import { Fixture, KEEP_MS, type OpenStore } from "../fixture.ts";
import { noFilter } from "./list.ts";

class BatchFixture {
  readonly fixture: Fixture;

  constructor(fixture: Fixture) {
    this.fixture = fixture;
  }

  static async set(open: OpenStore, t: TestContext, total: number): Promise<BatchFixture> {
    const batches = new BatchFixture(await Fixture.set(open, t));
    const { store, now } = batches.fixture;
    const batch = {
      id: "b",
      accountId: "account",
      endpointId: "e",
      total,
      bytes: 2,
      trace: null,
      webhook: "http://hook/",
      createdAt: now,
    };
    assert.deepEqual(await store.write(createBatchOnce, null, batch, { inline: "[]" }), {
      id: "b",
    });
    return batches;
  }

  async batch(): Promise<Batch> {
    return (await this.fixture.store.read(findBatch, "b"))!;
  }

  /** Submits items that follow those of the batch as it was read. */
  async submit(read: Batch, limit: number): Promise<boolean> {
    const jobs = Array.from({ length: limit }, (_, n) =>
      this.fixture.newJob({ batch: { batchId: "b", index: read.submitted + n } }),
    );
    return this.fixture.store.write(submitItems, read, jobs);
  }

  /** Counts its jobs, and checks the counts that an ended batch has stored. */
  async counts() {
    const { store } = this.fixture;
    const batch = await this.batch();
    const counts = countItems(batch, await store.read(countJobsOfBatch, "b"));
    if (batch.endCounts !== null) assert.deepEqual(batch.endCounts, counts);
    return counts;
  }

  finish(): Promise<void> {
    return this.fixture.store.write(finishBatch, "b", this.fixture.now);
  }
}

export function batchConformance(open: OpenStore): void {
  submitConformance(open);
  retryConformance(open);
  cancelConformance(open);
}

function submitConformance(open: OpenStore): void {
  test("items are submitted once, however many replicas try", async (t) => {
    const batches = await BatchFixture.set(open, t, 5);
    const { fixture } = batches;
    const read = await batches.batch();
    const tries = await Promise.all([1, 2, 3].map(() => batches.submit(read, 3)));
    assert.deepEqual(tries.toSorted(), [false, false, true]);
    assert.equal(await batches.submit(read, 3), false);
    await checkInvariants(fixture);
    assert.equal(await batches.submit(await batches.batch(), 2), true);
    assert.equal((await batches.batch()).state, "RUNNING");
    const page = { ...noFilter, batchId: "b", limit: 10, now: fixture.now };
    const listed = await fixture.store.read(listJobs, page);
    const indexes = listed.map(({ job }) => job.batch?.index);
    assert.deepEqual(indexes, [4, 3, 2, 1, 0]);
    await checkInvariants(fixture);
  });

  test("an answer that an earlier version stored for a key is understood", async (t) => {
    const { store, now } = (await BatchFixture.set(open, t, 1)).fixture;
    const once = { accountId: "account", key: "k", fingerprint: "f", callerKeyId: "" };
    // biome-ignore lint/correctness/useYield: it creates nothing
    await store.write(createOnce, once, now, function* () {
      return "b";
    });
    const batch = {
      id: "again",
      accountId: "account",
      endpointId: "e",
      total: 1,
      bytes: 2,
      trace: null,
      webhook: null,
      createdAt: now,
    };
    const answer = await store.write(createBatchOnce, once, batch, { inline: "[]" });
    assert.deepEqual(answer, { id: "b" });
  });

  test("a batch ends once with its last job, and its counts outlive the jobs", async (t) => {
    const batches = await BatchFixture.set(open, t, 3);
    const { fixture } = batches;
    await batches.submit(await batches.batch(), 3);
    const [good, bad, last] = await fixture.claim(3);
    await fixture.finish(good!, {});
    await fixture.finish(bad!, { error: "no luck" });
    await batches.finish();
    assert.equal((await batches.batch()).state, "RUNNING");
    await fixture.finish(last!, {});
    await batches.finish();
    await batches.finish();
    const { seq, state } = await batches.batch();
    assert.equal(state, "COMPLETED");
    const deliveries = await fixture.store.read(deliveriesOf, "batch", seq);
    assert.deepEqual(
      deliveries.map(({ message, url }) => [message, url]),
      [["msg_b_1", "http://hook/"]],
    );
    const counts = await batches.counts();
    assert.deepEqual([counts.completed, counts.failed], [2, 1]);
    assert.deepEqual((await batches.batch()).endCounts, counts);
    fixture.now += KEEP_MS;
    await fixture.store.write(forgetEnded, fixture.now, 10);
    assert.deepEqual(await batches.counts(), counts);
    await fixture.store.write(forgetBatches, fixture.now + 1, 10);
    assert.ok(await batches.batch(), "its webhook has still to be called");
    await checkInvariants(fixture);
  });
}

function retryConformance(open: OpenStore): void {
  test("the jobs of an ended batch are counted again once one is retried", async (t) => {
    const batches = await BatchFixture.set(open, t, 2);
    const { fixture } = batches;
    await batches.submit(await batches.batch(), 2);
    const [good, bad] = await fixture.claim(2);
    await fixture.finish(good!, {});
    await fixture.finish(bad!, { error: "no luck" });
    const { now, store } = fixture;
    // Whichever of the two commits last, no stored counts may disagree with the jobs.
    await Promise.all([batches.finish(), store.write(retryJob, bad!, "e", now)]);
    const { inQueue, completed, failed } = await batches.counts();
    assert.deepEqual([inQueue, completed, failed], [1, 1, 0]);
    const [again] = await fixture.claim(1);
    await fixture.finish(again!, {});
    await batches.finish();
    assert.equal((await batches.batch()).state, "COMPLETED");
    assert.equal((await batches.counts()).completed, 2);
    await checkInvariants(fixture);
  });
}

function cancelConformance(open: OpenStore): void {
  test("a cancelled batch submits nothing more and ends what is live", async (t) => {
    const batches = await BatchFixture.set(open, t, 5);
    const { store, now } = batches.fixture;
    const read = await batches.batch();
    await batches.submit(read, 3);
    await batches.fixture.claim(1);
    const present = await batches.batch();
    await store.write(cancelBatch, "b");
    assert.equal(await batches.submit(present, 2), false);
    assert.equal(await store.write(cancelJobsOfBatch, "b", now, 2), 2);
    await batches.finish();
    assert.equal((await batches.batch()).state, "CANCELLING");
    assert.equal(await store.write(cancelJobsOfBatch, "b", now, 2), 1);
    await batches.finish();
    const { state, reason } = await batches.batch();
    assert.deepEqual([state, reason, (await batches.counts()).cancelled], ["CANCELLED", null, 5]);
    await checkInvariants(batches.fixture);
  });

  test("the items of a deleted endpoint are cancelled with the reason", async (t) => {
    const batches = await BatchFixture.set(open, t, 5);
    const { store, now } = batches.fixture;
    await store.write(cancelOfDeleted, "b");
    assert.equal((await batches.batch()).state, "PENDING");
    await store.write(markEndpointDeleted, (await store.read(findEndpoint, "e"))!, now);
    await store.write(cancelOfDeleted, "b");
    await batches.finish();
    const { state, reason } = await batches.batch();
    assert.deepEqual([state, reason], ["CANCELLED", "its endpoint was deleted"]);
    assert.equal((await batches.counts()).cancelled, 5);
    await checkInvariants(batches.fixture);
  });
}
