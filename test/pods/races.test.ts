// Tests with hundreds of concurrent random operations: in the end desired Pods, held GPUs and
// running containers agree.

import { test } from "node:test";
import { simulatedService } from "./fixture.ts";
import { agreement, clearAll, operateAtRandom } from "./random-operations.ts";

test("random operations leak no GPU and leave no container behind", async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 6}' };
  const service = await simulatedService(t, { env, protocol: { evictGraceMs: 50 } });
  const body = { driver: "simulated", imageName: "i" };
  t.diagnostic(await operateAtRandom(service, { seed: 7, operations: 400, atOnce: 12, body }));
  await agreement(service);
  await clearAll(service);
});
