// Laws of dispatch: in which order jobs are given out, to whom, and that they keep their place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { retryJob } from "../job/retry.ts";
import { markUnhealthy, wantEnd } from "../worker/worker.ts";
import { LEASE_MS, type OpenStore, Stage, TTL_MS } from "./stage.ts";

export function claimLaws(open: OpenStore): void {
  test("higher priority goes first, then what was submitted first", async (t) => {
    const stage = await Stage.set(open, t);
    const ids: string[] = [];
    for (const priority of [0, 5, -3, 5, 0]) ids.push(await stage.submit({ priority }));
    const order = [1, 3, 0, 4, 2].map((n) => ids[n]);
    assert.deepEqual(await stage.claim(10), order);
  });

  test("a batch holds no more than was asked for, and no job twice", async (t) => {
    const stage = await Stage.set(open, t);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await stage.submit());
    const both = await Promise.all([stage.claim(2), stage.claim(2), stage.claim(2)]);
    assert.deepEqual(both, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test("an endpoint's jobs go to its own queue only", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.endpoint("other");
    await stage.worker("far", "other");
    await stage.submit({ endpointId: "other" });
    assert.deepEqual(await stage.claim(), []);
    assert.equal((await stage.claim(1, "far", "other")).length, 1);
  });

  test("a claimed job has a holder and a deadline", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    const { state, worker_id, taken_at, lease_until, attempts } = await stage.job(id);
    assert.deepEqual(
      { state, worker_id, taken_at, lease_until, attempts },
      {
        state: "IN_PROGRESS",
        worker_id: "w",
        taken_at: stage.now,
        lease_until: stage.now + LEASE_MS,
        attempts: 1,
      },
    );
  });

  test("a worker that is leaving, unhealthy, gone or unknown is given nothing", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.submit();
    await stage.worker("leaving");
    await stage.store.write(wantEnd, "leaving", "drain", "law", stage.now);
    await stage.worker("sick");
    await stage.store.write(markUnhealthy, "sick", "law");
    for (const id of ["leaving", "sick", "nobody"]) assert.deepEqual(await stage.claim(1, id), []);
    assert.equal((await stage.claim()).length, 1);
  });

  test("a job past its time to live is not given out", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.submit();
    stage.now += TTL_MS;
    assert.deepEqual(await stage.claim(), []);
  });

  placeLaws(open);
}

function placeLaws(open: OpenStore): void {
  test("a job that is dispatched again keeps its place", async (t) => {
    const stage = await Stage.set(open, t);
    const ids = [await stage.submit(), await stage.submit(), await stage.submit()];
    await stage.claim(2);
    await stage.requeue(ids[1]!);
    await stage.requeue(ids[0]!, "giveBack");
    assert.deepEqual(await stage.claim(3), ids);
  });

  test("a job that is retried keeps its place", async (t) => {
    const stage = await Stage.set(open, t);
    const ids = [await stage.submit(), await stage.submit()];
    await stage.claim();
    await stage.finish(ids[0]!, { error: "no" });
    await stage.store.write(retryJob, ids[0]!, "e", stage.now);
    assert.deepEqual(await stage.claim(2), ids);
  });
}
