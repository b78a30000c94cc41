import assert from "node:assert/strict";
import { test } from "node:test";
import Registry from "prom-client/lib/registry.js";
import { ServingMetrics } from "./serving-metrics.ts";

test("endpoints without requests for longest are forgotten beyond a bound", async () => {
  const registry = new Registry();
  const metrics = new ServingMetrics(registry);
  const record = (id: string) => metrics.record(id, { status: 200, ms: 1, firstByteMs: 1 });
  for (let n = 0; n < 200; n++) record(`e${n}`);
  record("e0");
  record("new");
  const text = await registry.metrics();
  const counted = new Set(
    [...text.matchAll(/^freehold_lb_requests_total\{endpoint="(\w+)"/gm)].map(([, id]) => id),
  );
  assert.equal(counted.size, 200);
  assert.deepEqual([counted.has("e0"), counted.has("e1"), counted.has("new")], [true, false, true]);
});
