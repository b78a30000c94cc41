// The part of the driver conformance suite about following a log.
import assert from "node:assert/strict";
import type { LogLine } from "../../../src/drivers/driver.ts";
import {
  type DriverHarness,
  GRACE_MS,
  observe,
  type RuleTest,
  startAndWait,
  startCount,
  until,
} from "./driver-harness.ts";

export const logRules: Record<string, RuleTest> = {
  async "follow returns the log, then new lines, and ends with the run"(harness) {
    await startAndWait(harness, "w1", "runs");
    const lines = followToEnd(harness, "w1", null);
    await harness.wait();
    await harness.settle(harness.driver.stop("w1", GRACE_MS));
    const received = await harness.settle(lines);
    assert.deepEqual(received, await harness.driver.logs("w1", 1000));
    assert.ok(received.some(({ text }) => text.includes("started")));
  },

  async "follow continues after a mark, over later runs too"(harness) {
    await startAndWait(harness, "w1", "ends with 3");
    await until(harness, async () => (await observe(harness, "w1")).state === "ended");
    const first = await harness.settle(followToEnd(harness, "w1", null));
    const mark = first.at(-1)!.mark;
    assert.deepEqual(await harness.settle(followToEnd(harness, "w1", mark)), []);
    await harness.driver.start(harness.workload("w1", "ends with 3"));
    await until(harness, async () => (await startCount(harness, "w1")) === 2);
    await until(harness, async () => (await observe(harness, "w1")).state === "ended");
    const second = await harness.settle(followToEnd(harness, "w1", mark));
    assert.deepEqual([...first, ...second], await harness.driver.logs("w1", 1000));
    assert.equal(second.filter(({ text }) => text.includes("started")).length, 1);
  },

  async "follow ends at once when its signal aborts"(harness) {
    await startAndWait(harness, "w1", "runs");
    const abort = new AbortController();
    const lines = followToEnd(harness, "w1", null, abort.signal);
    await harness.wait();
    abort.abort();
    await harness.settle(lines);
    assert.deepEqual(
      await harness.settle(followToEnd(harness, "w1", null, AbortSignal.abort())),
      [],
    );
    assert.equal((await observe(harness, "w1")).state, "running");
  },
};

export async function followToEnd(
  harness: DriverHarness,
  id: string,
  after: string | null,
  signal = new AbortController().signal,
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const batch of harness.driver.follow(id, after, signal)) lines.push(...batch);
  return lines;
}
