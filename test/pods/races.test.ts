// Hundreds of random operations at the same time: in the end what is wanted, what was given out and
// what runs agree.

import { test } from "node:test";
import { agreement, clearAll, operateAtRandom } from "./random-operations.ts";
import { fakeHouse } from "./stage.ts";

test("random operations leak no GPU and leave no container behind", async (t) => {
  const env = { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 6}' };
  const house = await fakeHouse(t, { env, protocol: { evictGraceMs: 50 } });
  const body = { driver: "fake", imageName: "i" };
  t.diagnostic(await operateAtRandom(house, { seed: 7, operations: 400, atOnce: 12, body }));
  await agreement(house);
  await clearAll(house);
});
