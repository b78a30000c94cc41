import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import type { Store } from "../store/engine/store.ts";
import { AuthCache } from "./auth-cache.ts";
import type { PodKeys } from "./pod/own-key.ts";

test("entries expire although the clock was set back", async () => {
  const clock = new VirtualClock();
  let reads = 0;
  const endpoint = { id: "e" };
  const store = {
    notifier: { on() {} },
    async read() {
      reads++;
      return endpoint;
    },
  } as unknown as Store;
  const cache = new AuthCache({ store, clock, podKeys: {} as PodKeys });
  assert.equal(await cache.endpoint("e"), endpoint);
  assert.equal(cache.endpoint("e"), endpoint);
  clock.step(-3_600_000);
  await clock.advance(10_000);
  await cache.endpoint("e");
  assert.equal(reads, 2);
});
