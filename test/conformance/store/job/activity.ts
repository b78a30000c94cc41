// The activity of all endpoints of an account: jobs, execution times and what their workers cost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, MINUTE_MS } from "../../../../src/base/units.ts";
import { endedJobsByBucket, executionTimesSince } from "../../../../src/store/endpoint/activity.ts";
import { findEndpoint, markEndpointDeleted } from "../../../../src/store/endpoint/endpoint.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import { endpointSpendingSince } from "../../../../src/store/usage/spending.ts";
import { chargeAll } from "../../../../src/transactions/money/charge-all.ts";
import { endMeter, meter } from "../../../../src/transactions/money/meter.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { metered } from "../money/money.ts";

const DAY_MS = 24 * HOUR_MS;

export function activityConformance(open: OpenStore): void {
  test("jobs that ended are counted by endpoint and bucket", async (t) => {
    const fixture = await Fixture.set(open, t);
    const bucketMs = 15 * MINUTE_MS;
    const begin = Math.floor(fixture.now / bucketMs) * bucketMs;
    fixture.now = begin;
    const ids = [await fixture.submit(), await fixture.submit(), await fixture.submit()];
    await fixture.claim(3);
    fixture.now += 1_000;
    await fixture.finish(ids[0]!);
    fixture.now += 14 * MINUTE_MS;
    await fixture.finish(ids[1]!, { error: "no" });
    fixture.now += MINUTE_MS;
    await fixture.finish(ids[2]!);
    await fixture.endpoint("idle");
    const ended = (accountId: string, from: number) =>
      fixture.store.read(endedJobsByBucket, accountId, from, bucketMs);
    const order = ({ at }: { at: number }) => at;
    assert.deepEqual(
      (await ended("account", begin)).sort((a, b) => order(a) - order(b)),
      [
        { endpointId: "e", at: begin, completed: 1, failed: 1 },
        { endpointId: "e", at: begin + bucketMs, completed: 1, failed: 0 },
      ],
    );
    assert.equal((await ended("account", begin + bucketMs)).length, 1);
    assert.deepEqual(await ended("other", begin), []);
    const times = await fixture.store.read(executionTimesSince, "account", begin);
    assert.deepEqual(new Set(times.map(({ endpointId }) => endpointId)), new Set(["e"]));
    assert.equal(
      times.reduce((sum, { n }) => sum + n, 0),
      3,
    );
    assert.deepEqual(await fixture.store.read(executionTimesSince, "other", begin), []);

    await fixture.store.write(deleteEndpoint, "e", fixture.now);
    assert.deepEqual(await ended("account", begin), []);
    assert.deepEqual(await fixture.store.read(executionTimesSince, "account", begin), []);
  });

  test("the cost of each endpoint since midnight has what is charged and what is owed", async (t) => {
    const { store, now: about } = await Fixture.set(open, t);
    const midnight = Math.floor(about / DAY_MS) * DAY_MS;
    const worker = (id: string, endpointId: string) =>
      metered(id, 1_000_000, { kind: "worker", endpointId });
    await store.write(meter, worker("w1", "a"), midnight - 2 * HOUR_MS);
    await store.write(meter, worker("w2", "a"), midnight + HOUR_MS);
    await store.write(meter, worker("w3", "b"), midnight - 5 * HOUR_MS);
    await store.write(meter, metered("p", 1_000_000), midnight);
    await store.write(endMeter, "w3", midnight - HOUR_MS);
    const spent = async (at: number) => {
      const all = await store.read(endpointSpendingSince, "account", midnight, at);
      return Object.fromEntries(all.map(({ endpointId, micros }) => [endpointId, micros]));
    };
    // The first one is charged up to before midnight, then beyond it.
    for (const charged of [null, midnight - HOUR_MS, midnight + 2 * HOUR_MS]) {
      if (charged !== null) await chargeAll(store, charged, 3);
      assert.deepEqual(await spent(midnight + 3 * HOUR_MS), { a: 5_000_000 });
    }
    assert.deepEqual(await store.read(endpointSpendingSince, "other", midnight, about), []);
  });
}

function* deleteEndpoint(id: string, now: number): Tx<void> {
  const endpoint = yield* findEndpoint(id);
  yield* markEndpointDeleted(endpoint!, now);
}
