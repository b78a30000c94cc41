// Rate limits on a virtual clock, for one replica and for several.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import type { Limits } from "../domain/rate/limits.ts";
import type { Store } from "../store/engine/store.ts";
import { type RateLimitResult, RateLimits } from "./rate-limits.ts";

const limits: Limits = {
  of: { run: { requests: 4, concurrent: 2 }, rest: { requests: 1 } },
  queue: null,
  requests: null,
};

function counting(replicas = 1) {
  const clock = new VirtualClock(1_800_000_000_000);
  const rates = new RateLimits({ store: {} as Store, clock, limits, replicas: () => replicas });
  const run = (keyId = "k", endpointId = "e") =>
    rates.count({ name: "run", keyId, endpointId }) as RateLimitResult;
  return { clock, rates, run };
}

test("a limit per window is enforced and resets with the window", async () => {
  const { clock, run } = counting();
  const runOnce = () => {
    const counted = run();
    counted.release();
    return counted;
  };
  assert.deepEqual(
    [1, 2, 3, 4].map(() => runOnce().left),
    [3, 2, 1, 0],
  );
  const { refused, resetMs } = runOnce();
  assert.equal(resetMs, 10_000);
  await clock.advance(refused!.waitMs);
  assert.equal(runOnce().refused, null);
  assert.equal(run("other").refused, null);
  assert.equal(run("k", "other").refused, null);
});

test("a limit of concurrent requests is enforced; a finished request makes room", () => {
  const { run } = counting();
  const [first] = [run(), run()];
  assert.match(run().refused!.detail, /2 for "run" answered at a time/);
  first!.release();
  assert.equal(run().refused, null);
});

test("each of two replicas allows half of a limit, and at least one request", () => {
  const { rates, run } = counting(2);
  const one = run();
  assert.equal(one.limit, 2);
  assert.match(run().refused!.detail, /1 for "run" answered at a time/);
  one.release();
  assert.equal(
    (rates.count({ name: "rest", keyId: "k", endpointId: null }) as RateLimitResult).limit,
    1,
  );
  assert.equal(rates.count({ name: "graphql", keyId: "k", endpointId: null }), null);
});
