import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Store } from "../../store/engine/store.ts";
import type { LoadReport } from "../../transactions/serving/report-load.ts";
import { RequestTracker } from "./request-tracker.ts";

test("requests that were served while the store was away are reported once it is back", async () => {
  const clock = new VirtualClock();
  let isAway = true;
  const served: number[] = [];
  const store = {
    async write(_: unknown, reports: LoadReport[]) {
      if (isAway) throw new Fault("store_unavailable");
      served.push(...reports.map((each) => each.served));
    },
  } as unknown as Store;
  const tracker = new RequestTracker({ store, clock, replicaId: "r", loadReportMs: 1_000 });
  tracker.begin("e", "w")(true);
  await clock.advance(500);
  isAway = false;
  await clock.advance(2_000);
  assert.deepEqual(served, [1]);
  await tracker.close();
});
