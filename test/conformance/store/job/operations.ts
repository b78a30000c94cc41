// Conformance of operations on all jobs that match a filter.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../../src/domain/fault.ts";
import { anyJob, type JobFilter } from "../../../../src/domain/job/job-filter.ts";
import { quarantinedAfter } from "../../../../src/domain/job/sentences.ts";
import { countSlice } from "../../../../src/store/job/list/matching.ts";
import {
  endJobOperation,
  findJobOperation,
} from "../../../../src/store/job-operation/job-operation.ts";
import { forgetEnded } from "../../../../src/transactions/job/forget.ts";
import { advanceOperation, rangeOf } from "../../../../src/transactions/job-operation/advance.ts";
import { startJobOperation } from "../../../../src/transactions/job-operation/start.ts";
import { checkInvariants } from "../contents.ts";
import { Fixture, KEEP_MS, type OpenStore } from "../fixture.ts";

export function operationConformance(open: OpenStore): void {
  retryConformance(open);
  cancelConformance(open);
}

const R = { id: "r", accountId: "account" };

function retryConformance(open: OpenStore): void {
  test("a bulk retry returns the failures that match, archived ones too, and none of later", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    await fixture.endpoint("e2");
    await fixture.worker("w2", "e2");
    const fail = async (error: string | null) => {
      const id = await fixture.submit();
      await fixture.claim();
      await fixture.finish(id, { error });
      return id;
    };
    const archived = await fail("CUDA error: 100% full");
    fixture.now += KEEP_MS;
    await store.write(forgetEnded, fixture.now, 10);
    const recent = await fail("cuda ERROR: 100% full");
    const others = [
      await fail("another error: 100 full"),
      await fail(null),
      await fail(quarantinedAfter(2)),
      await fixture.submit({ endpointId: "e2" }),
    ];
    const filter = { ...anyJob, endpointId: "e", error: "Error: 100%" };
    const retry = { ...R, action: "retry", filter } as const;
    const started = await store.write(startJobOperation, retry, fixture.now);
    assert.ok(!(started instanceof Fault));
    const later = await fail("cuda error: 100% full");
    assert.equal((await store.read(countSlice, rangeOf(started, fixture.now))).found, 2);
    for (let n = 0; n < 3; n++) await store.write(advanceOperation, "r", fixture.now, 1);
    while (await store.write(advanceOperation, "r", fixture.now, 1));
    const done = await store.read(findJobOperation, "r");
    assert.deepEqual([done?.state, done?.done], ["COMPLETED", 2]);
    for (const id of [archived, recent]) assert.equal(await fixture.state(id), "IN_QUEUE");
    for (const id of [...others.slice(0, 3), later])
      assert.notEqual(await fixture.state(id), "IN_QUEUE");
    await checkInvariants(fixture);
  });

  test("a bulk retry that was cancelled goes no further, and quarantine is left alone unless it is named", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const ids = [await fixture.submit(), await fixture.submit(), await fixture.submit()];
    await fixture.claim(3);
    for (const id of ids) await fixture.finish(id, { error: quarantinedAfter(1) });
    const start = (id: string, quarantined: boolean | null) => {
      const retry = { id, accountId: "account", action: "retry" } as const;
      return store.write(
        startJobOperation,
        { ...retry, filter: { ...anyJob, quarantined } },
        fixture.now,
      );
    };
    await start("none", null);
    while (await store.write(advanceOperation, "none", fixture.now, 1));
    assert.equal((await store.read(findJobOperation, "none"))?.done, 0);
    await start("r", true);
    await store.write(advanceOperation, "r", fixture.now, 1);
    assert.equal(await store.write(endJobOperation, R, "CANCELLED", fixture.now), true);
    assert.equal(await store.write(advanceOperation, "r", fixture.now, 1), false);
    assert.equal((await store.read(findJobOperation, "r"))?.done, 1);
    const states = await Promise.all(ids.map((id) => fixture.state(id)));
    assert.deepEqual(states, ["IN_QUEUE", "FAILED", "FAILED"]);
  });
}

function cancelConformance(open: OpenStore): void {
  test("a bulk cancellation ends the jobs that wait and run, and leaves others alone", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const [done, running] = [await fixture.submit(), await fixture.submit()];
    await fixture.claim(2);
    await fixture.finish(done, { error: "no" });
    const queued = await fixture.submit();
    const start = (id: string, filter: Partial<JobFilter>) => {
      const operation = { id, accountId: "account", action: "cancel" } as const;
      return store.write(
        startJobOperation,
        { ...operation, filter: { ...anyJob, ...filter } },
        fixture.now,
      );
    };
    await start("queued", { states: ["IN_QUEUE"] });
    while (await store.write(advanceOperation, "queued", fixture.now, 10));
    assert.deepEqual(await Promise.all([queued, running].map((id) => fixture.state(id))), [
      "CANCELLED",
      "IN_PROGRESS",
    ]);
    await start("all", {});
    while (await store.write(advanceOperation, "all", fixture.now, 10));
    assert.equal((await store.read(findJobOperation, "all"))?.done, 1);
    assert.equal(await fixture.state(running), "CANCELLED");
    assert.equal(await fixture.state(done), "FAILED");
    await checkInvariants(fixture);
  });
}
