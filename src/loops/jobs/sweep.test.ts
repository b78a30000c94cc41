// What is past its retention goes, although something else cannot be deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import { forgetEnded } from "../../transactions/job/forget.ts";
import { forgetWorkers } from "../../transactions/worker/forget.ts";
import { PartialFailure } from "../engine/loop.ts";
import { sweepLoop } from "./sweep.ts";

test("jobs that cannot be deleted do not keep ended workers", async () => {
  const written: unknown[] = [];
  const store = {
    async write(transaction: unknown) {
      written.push(transaction);
      if (transaction === forgetEnded) throw new Error("a job cannot be deleted");
      return { next: null, count: 0 };
    },
  } as unknown as Store;
  const loop = sweepLoop({ store, clock: new VirtualClock(), protocol: { auditKeepMs: 1 } });
  await assert.rejects(loop.run(), PartialFailure);
  assert.ok(written.includes(forgetWorkers));
});
