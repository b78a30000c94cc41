// Conformance of queries of live jobs: none of them passes the ended jobs that are kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import { lockArchivedOf } from "../../../../src/store/job/archive/archive.ts";
import { lockQueued } from "../../../../src/store/job/find.ts";
import { leasedJobs } from "../../../../src/store/job/lease.ts";
import { queueLoad } from "../../../../src/store/job/load.ts";
import { nextEndOfTtl } from "../../../../src/store/job/retention.ts";
import { lockDelayed, nextDue } from "../../../../src/store/job/schedule/delay.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { fillAnalyzed, plansOf } from "./plans.ts";

const queries: Record<string, () => Tx<unknown>> = {
  "the load for autoscaling": () => queueLoad("e"),
  "the running jobs": () => leasedJobs(),
  "the next end of a time to live": () => nextEndOfTtl(),
  "the next start": () => nextDue(),
  "the queued jobs that a purge ends": () => lockQueued("e", Number.MAX_SAFE_INTEGER, 100),
  "the delayed jobs that a purge ends": () => lockDelayed("e", Number.MAX_SAFE_INTEGER, 100),
  "the archived jobs that make room": () => lockArchivedOf("e", 100),
};

/** Whole tables, and indexes that have every kept job. */
const PASSES_ENDED =
  /SCAN job$|\bjob_of_endpoint\b|\bjob_of_worker\b|sqlite_autoindex_job|Seq Scan on job\b/m;

export function liveJobConformance(open: OpenStore): void {
  test("no query of live jobs passes the ended ones", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    await fixture.endpoint("f");
    for (const lowPriority of [true, false]) await fixture.submit({ lowPriority });
    await fixture.claim();
    await fixture.submit({ lowPriority: true });
    await fixture.submit({ startAt: now + 1_000 });
    const explain = await fillAnalyzed(fixture);
    for (const [name, query] of Object.entries(queries)) {
      const plans = await store.write(plansOf, query(), explain);
      assert.ok(plans.length > 0, name);
      for (const plan of plans) assert.doesNotMatch(plan, PASSES_ENDED, `${name}: ${plan}`);
    }
  });

  test("the load counts the queued and the running jobs of low priority apart", async (t) => {
    const fixture = await Fixture.set(open, t);
    for (let n = 0; n < 5; n++)
      await fixture.submit({ lowPriority: true, priority: n < 2 ? 1 : 0 });
    const ids = [await fixture.submit({ priority: 1 }), await fixture.submit()];
    await fixture.claim(3);
    await fixture.finish(ids[0]!);
    assert.deepEqual(await fixture.store.read(queueLoad, "e"), {
      waiting: 1,
      waitingLowPriority: 3,
      oldestWaitingAt: fixture.now,
      inProgress: 0,
      inProgressLowPriority: 2,
    });
  });
}
