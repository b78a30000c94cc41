// Requests that come while others are carried out.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { bareInventory } from "../../../../test/fixtures/bare-machine.ts";
import { until } from "../../../../test/fixtures/until.ts";
import { gpuRequestsLoop } from "./gpu-requests.ts";

test("a request that comes during the last look for requests is carried out at once", async () => {
  const looks: PromiseWithResolvers<void>[] = [];
  const loop = gpuRequestsLoop(
    {
      log: pino({ level: "silent" }),
      machine: "m",
      inventory: { ...bareInventory, gpuNumbers: { "GPU-a": 0 } },
    },
    {
      name: "requests",
      topic: "t",
      stopMs: 10_000,
      interrupt() {},
      carryOut() {
        const look = Promise.withResolvers<void>();
        looks.push(look);
        return look.promise;
      },
    },
  );
  await loop.run();
  // Its commit is not in what the first look reads, and its notification starts this pass.
  await loop.run();
  assert.equal(looks.length, 1, "one look at a time");
  looks[0]!.resolve();
  await until(() => looks.length === 2);
  looks[1]!.resolve();
  await loop.finish!();
  assert.equal(looks.length, 2);
});
