// Laws of what is kept of every minute of an endpoint.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MINUTE_MS } from "../../domain/endpoint/history.ts";
import { forgetMinutes, minutesSince, spansIn, startsIn } from "../endpoint/history.ts";
import { endJob } from "../job/end.ts";
import { signed, type Verb } from "../statement.ts";
import { type OpenStore, Stage } from "./stage.ts";

export function historyLaws(open: OpenStore): void {
  test("each minute says what changed in it, and now is what all of them come to", async (t) => {
    const stage = await Stage.set(open, t);
    const begin = stage.now;
    const ids = await Promise.all([stage.submit(), stage.submit(), stage.submit(), stage.submit()]);
    stage.now += MINUTE_MS;
    await stage.claim(3);
    await stage.requeue(ids[1]!);
    stage.now += MINUTE_MS;
    await stage.finish(ids[0]!);
    await stage.finish(ids[2]!, { error: "no" });
    await stage.store.write(endJob, ids[3]!, "cancel", "no", stage.now);
    const { minutes, now } = await stage.store.read(minutesSince, "e", begin);
    assert.deepEqual(minutes, [
      { at: begin, queued: 4, running: 0, completed: 0, failed: 0 },
      { at: begin + MINUTE_MS, queued: -2, running: 2, completed: 0, failed: 0 },
      { at: begin + 2 * MINUTE_MS, queued: -1, running: -2, completed: 1, failed: 1 },
    ]);
    assert.deepEqual([now.queued, now.running], [1, 0]);
    assert.deepEqual((await stage.store.read(minutesSince, "other", begin)).minutes, []);
  });

  test("waits count where a worker took the job, runs where it finished it", async (t) => {
    const stage = await Stage.set(open, t);
    const begin = stage.now;
    const ids = [await stage.submit(), await stage.submit()];
    stage.now += 1_000;
    await stage.claim(2);
    stage.now += MINUTE_MS;
    for (const id of ids) await stage.finish(id);
    const window = { from: begin, to: begin + 10 * MINUTE_MS, bucketMs: 5 * MINUTE_MS };
    const spans = await stage.store.read(spansIn, "e", window);
    const n = ({ what }: { what: string }) => (what === "delay" ? 0 : 1);
    assert.deepEqual(
      spans.sort((a, b) => n(a) - n(b)),
      [
        { at: begin, what: "delay", size: 20, n: 2 },
        { at: begin, what: "execution", size: 32, n: 2 },
      ],
    );
    assert.deepEqual(await stage.store.read(spansIn, "e", { ...window, to: begin }), []);
  });

  test("a worker starts once, with its first call", async (t) => {
    const stage = await Stage.set(open, t);
    const begin = stage.now;
    for (const after of [3_000, 5_000]) {
      await stage.store.write(call, "w", begin + after);
    }
    const window = { from: begin, to: begin + MINUTE_MS, bucketMs: MINUTE_MS };
    const starts = await stage.store.read(startsIn, "e", window);
    assert.deepEqual(starts, [{ at: begin, n: 1, ms: 3_000 }]);
  });

  test("minutes are forgotten by age, and no others", async (t) => {
    const stage = await Stage.set(open, t);
    const begin = stage.now;
    for (let n = 0; n < 3; n++) {
      await stage.submit();
      await stage.claim();
      stage.now += MINUTE_MS;
    }
    await stage.store.write(forgetMinutes, begin + 2 * MINUTE_MS, 1);
    const left = async () => (await stage.store.read(minutesSince, "e", begin)).minutes.length;
    assert.equal(await left(), 2);
    await stage.store.write(forgetMinutes, begin + 2 * MINUTE_MS, 10);
    assert.equal(await left(), 1);
    assert.equal(await stage.value("select count(*) from job_span"), 1);
  });
}

function* call(workerId: string, at: number): Verb<void> {
  yield* signed(workerId, at, { ready: true });
}
