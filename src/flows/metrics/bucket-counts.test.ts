import assert from "node:assert/strict";
import { test } from "node:test";
import Histogram from "prom-client/lib/histogram.js";
import Registry from "prom-client/lib/registry.js";
import { BucketCounts } from "./bucket-counts.ts";

test("counts are printed as prom-client prints its own histogram", async () => {
  const buckets = [0.1, 1, 10];
  const expected = new Histogram({
    name: "h",
    help: "help",
    labelNames: ["endpoint"],
    buckets,
    registers: [new Registry()],
  });
  const counts = new BucketCounts(buckets);
  for (const value of [0, 0.1, 0.5, 1, 1.5, 99]) {
    counts.add(value);
    expected.observe({ endpoint: "e" }, value);
  }
  const { values } = await expected.get();
  const plain = values.map(({ metricName, labels, value }) => ({ metricName, labels, value }));
  assert.deepEqual(counts.samples("h", { endpoint: "e" }), plain);
});
