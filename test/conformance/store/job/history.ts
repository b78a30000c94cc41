// Laws of what is kept of every minute of an endpoint.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS } from "../../../../src/base/units.ts";
import {
  forgetMinutes,
  minutesSince,
  spansIn,
  startsIn,
} from "../../../../src/store/endpoint/history.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import { recordWorkerCall } from "../../../../src/store/worker/calls.ts";
import { endJob } from "../../../../src/transactions/job/end.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

export function historyConformance(open: OpenStore): void {
  test("each minute records its changes, and the current counts are their sum", async (t) => {
    const fixture = await Fixture.set(open, t);
    const begin = fixture.now;
    const ids = await Promise.all([
      fixture.submit(),
      fixture.submit(),
      fixture.submit(),
      fixture.submit(),
    ]);
    fixture.now += MINUTE_MS;
    await fixture.claim(3);
    await fixture.requeue(ids[1]!);
    fixture.now += MINUTE_MS;
    await fixture.finish(ids[0]!);
    await fixture.finish(ids[2]!, { error: "no" });
    await fixture.store.write(endJob, ids[3]!, { event: "cancel", error: "no" }, fixture.now);
    const { minutes, now } = await fixture.store.read(minutesSince, "e", begin);
    assert.deepEqual(minutes, [
      { at: begin, queued: 4, running: 0, completed: 0, failed: 0 },
      { at: begin + MINUTE_MS, queued: -2, running: 2, completed: 0, failed: 0 },
      { at: begin + 2 * MINUTE_MS, queued: -1, running: -2, completed: 1, failed: 1 },
    ]);
    assert.deepEqual([now.queued, now.running], [1, 0]);
    assert.deepEqual((await fixture.store.read(minutesSince, "other", begin)).minutes, []);
  });

  test("waiting time counts in the minute of the take, execution time in the minute of the end", async (t) => {
    const fixture = await Fixture.set(open, t);
    const begin = fixture.now;
    const ids = [await fixture.submit(), await fixture.submit()];
    fixture.now += 1_000;
    await fixture.claim(2);
    fixture.now += MINUTE_MS;
    for (const id of ids) await fixture.finish(id);
    const window = { from: begin, to: begin + 10 * MINUTE_MS, bucketMs: 5 * MINUTE_MS };
    const spans = await fixture.store.read(spansIn, "e", window);
    const n = ({ what }: { what: string }) => (what === "delay" ? 0 : 1);
    assert.deepEqual(
      spans.sort((a, b) => n(a) - n(b)),
      [
        { at: begin, what: "delay", size: 20, n: 2 },
        { at: begin, what: "execution", size: 32, n: 2 },
      ],
    );
    assert.deepEqual(await fixture.store.read(spansIn, "e", { ...window, to: begin }), []);
  });

  startsConformance(open);
}

function startsConformance(open: OpenStore): void {
  test("a worker's start is counted once, at its first call", async (t) => {
    const fixture = await Fixture.set(open, t);
    const begin = fixture.now;
    for (const after of [3_000, 5_000]) {
      await fixture.store.write(call, "w", begin + after);
    }
    const window = { from: begin, to: begin + MINUTE_MS, bucketMs: MINUTE_MS };
    const starts = await fixture.store.read(startsIn, "e", window);
    assert.deepEqual(starts, [{ at: begin, n: 1, ms: 3_000 }]);
  });

  test("only minutes past their retention are deleted", async (t) => {
    const fixture = await Fixture.set(open, t);
    const begin = fixture.now;
    for (let n = 0; n < 3; n++) {
      await fixture.submit();
      await fixture.claim();
      fixture.now += MINUTE_MS;
    }
    await fixture.store.write(forgetMinutes, begin + 2 * MINUTE_MS, 1);
    const left = async () => (await fixture.store.read(minutesSince, "e", begin)).minutes.length;
    assert.equal(await left(), 2);
    await fixture.store.write(forgetMinutes, begin + 2 * MINUTE_MS, 10);
    assert.equal(await left(), 1);
    assert.equal(await fixture.value("select count(*) from job_span"), 1);
  });
}

function* call(workerId: string, at: number): Tx<void> {
  yield* recordWorkerCall(workerId, at, { ready: true });
}
