// The conformance suite of drivers, which each adapter runs in its own test file. It tests only what
// the driver interface promises.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NotReached } from "../../../src/domain/container/unreachable-port.ts";
import { StartAborted, StartRefused } from "../../../src/drivers/driver.ts";
import {
  type DriverHarness,
  GRACE_MS,
  observe,
  type RuleTest,
  startAndWait,
  startCount,
  until,
} from "./driver-harness.ts";
import { followToEnd, logRules } from "./log-conformance.ts";

const LONG_GRACE_MS = 60_000;

/** `concurrency` is the number of rules that are tested at once. */
export function driverConformance(
  name: string,
  open: () => Promise<DriverHarness>,
  concurrency = 1,
): void {
  describe(`driver conformance: ${name}`, { concurrency }, () => {
    for (const [rule, run] of Object.entries({
      ...startRules,
      ...stopRules,
      ...queryRules,
      ...logRules,
    })) {
      it(rule, async () => {
        const harness = await open();
        try {
          await run(harness);
        } finally {
          await harness.dispose();
        }
      });
    }
  });
}

const startRules: Record<string, RuleTest> = {
  async "a started workload is observed as running"(harness) {
    await startAndWait(harness, "w1", "runs");
    const { startedAt, address: _, ...rest } = await observe(harness, "w1");
    assert.deepEqual(rest, {
      id: "w1",
      state: "running",
      endedAt: null,
      exitCode: null,
      signal: null,
    });
    assert.ok(Number.isInteger(startedAt) && startedAt > 0);
  },

  async "a start of a running workload changes nothing"(harness) {
    await startAndWait(harness, "w1", "runs");
    const before = await observe(harness, "w1");
    await harness.driver.start(harness.workload("w1", "runs"));
    await harness.wait();
    assert.deepEqual(await harness.driver.list(), [before]);
    assert.equal(await startCount(harness, "w1"), 1);
  },

  async "parallel starts of one workload start it once"(harness) {
    const workload = harness.workload("w1", "runs");
    await Promise.all([1, 2, 3, 4].map(() => harness.driver.start(workload)));
    await until(harness, async () => (await startCount(harness, "w1")) > 0);
    await harness.wait();
    assert.equal(await startCount(harness, "w1"), 1);
    assert.equal((await harness.driver.list()).length, 1);
  },

  async "a workload that ended can be started again and keeps its log"(harness) {
    await startAndWait(harness, "w1", "ends with 3");
    await until(harness, async () => (await observe(harness, "w1")).state === "ended");
    await harness.driver.start(harness.workload("w1", "runs"));
    await until(harness, async () => (await startCount(harness, "w1")) === 2);
    const { state, endedAt, exitCode } = await observe(harness, "w1");
    assert.deepEqual(
      { state, endedAt, exitCode },
      { state: "running", endedAt: null, exitCode: null },
    );
  },

  async "an id that could be read as a path is refused"(harness) {
    const ids = ["", "..", "../x", "a/b", "a b", "a\0", "é", "x".repeat(65)];
    for (const id of ids) {
      await assert.rejects(
        harness.driver.start({ ...harness.workload("w1", "runs"), id }),
        (error) => error instanceof StartRefused && error.message.includes("id"),
      );
    }
    assert.deepEqual(await harness.driver.list(), []);
    await harness.driver.start(harness.workload("x".repeat(64), "runs"));
    await harness.driver.start(harness.workload("A_-9", "runs"));
    assert.equal((await harness.driver.list()).length, 2);
  },
};

const stopRules: Record<string, RuleTest> = {
  async "a workload that ends by itself has its exit code"(harness) {
    await startAndWait(harness, "w1", "ends with 3");
    await until(harness, async () => (await observe(harness, "w1")).state === "ended");
    const { exitCode, signal, startedAt, endedAt } = await observe(harness, "w1");
    assert.deepEqual({ exitCode, signal }, { exitCode: 3, signal: null });
    assert.ok(endedAt !== null && endedAt >= startedAt);
  },

  async "stop resolves once the workload has ended, and a second stop at once"(harness) {
    await startAndWait(harness, "w1", "runs");
    await harness.settle(harness.driver.stop("w1", LONG_GRACE_MS));
    const ended = await observe(harness, "w1");
    assert.equal(ended.state, "ended");
    assert.notEqual(ended.signal, "SIGKILL");
    await harness.driver.stop("w1", 0);
    assert.deepEqual(await observe(harness, "w1"), ended);
  },

  async "a workload that ignores SIGTERM is killed after its grace period"(harness) {
    await startAndWait(harness, "w1", "ignores SIGTERM");
    await harness.settle(harness.driver.stop("w1", GRACE_MS));
    const { state, exitCode, signal } = await observe(harness, "w1");
    assert.deepEqual(
      { state, exitCode, signal },
      { state: "ended", exitCode: null, signal: "SIGKILL" },
    );
  },

  async "a second stop can shorten the grace period of the first"(harness) {
    await startAndWait(harness, "w1", "ignores SIGTERM");
    // Where a stop cannot be hurried, both stops resolve after the first grace period.
    const { canHurryStop = true } = harness;
    const slowStop = harness.driver.stop("w1", canHurryStop ? LONG_GRACE_MS : GRACE_MS);
    await harness.settle(Promise.all([harness.driver.stop("w1", 0), slowStop]));
    assert.equal((await observe(harness, "w1")).signal, "SIGKILL");
  },

  async "a second stop cannot extend the grace period of the first"(harness) {
    await startAndWait(harness, "w1", "ignores SIGTERM");
    const quickStop = harness.driver.stop("w1", GRACE_MS);
    await harness.settle(Promise.all([harness.driver.stop("w1", LONG_GRACE_MS), quickStop]));
    assert.equal((await observe(harness, "w1")).signal, "SIGKILL");
  },

  async "a start during a stop starts the workload again afterward"(harness) {
    await startAndWait(harness, "w1", "ignores SIGTERM");
    const stopped = harness.driver.stop("w1", GRACE_MS);
    await harness.settle(
      Promise.all([harness.driver.start(harness.workload("w1", "runs")), stopped]),
    );
    await until(harness, async () => (await startCount(harness, "w1")) === 2);
    assert.equal((await observe(harness, "w1")).state, "running");
  },

  async "a stop during a start ends the workload"(harness) {
    const started = harness.driver.start(harness.workload("w1", "runs")).then(
      () => true,
      (error) => {
        if (error instanceof StartAborted) return false;
        throw error;
      },
    );
    const ends = Promise.all([harness.driver.stop("w1", GRACE_MS), started]);
    const [, ran] = await harness.settle(ends);
    if (ran) assert.equal((await observe(harness, "w1")).state, "ended");
    else assert.deepEqual(await harness.driver.list(), []);
  },

  async "every command and query succeeds for an unknown id"(harness) {
    for (const id of ["unknown", "../x", ""]) {
      await harness.driver.stop(id, 0);
      await harness.driver.remove(id);
      assert.deepEqual(await harness.driver.logs(id, 10), []);
      await harness.driver.wipe(id);
      assert.deepEqual(await followToEnd(harness, id, null), []);
    }
  },
};

const queryRules: Record<string, RuleTest> = {
  async "dial rejects for a closed port and for a workload that does not run"(harness) {
    const refused = (id: string) =>
      assert.rejects(harness.driver.dial(id, 1), (error) => error instanceof NotReached);
    for (const id of ["unknown", "../x", ""]) await refused(id);
    await startAndWait(harness, "w1", "runs");
    await refused("w1");
    await harness.settle(harness.driver.stop("w1", GRACE_MS));
    await refused("w1");
  },

  async "logs returns the last lines, oldest first, also after the end"(harness) {
    await startAndWait(harness, "w1", "runs");
    await harness.settle(harness.driver.stop("w1", GRACE_MS));
    const all = await harness.driver.logs("w1", 1000);
    assert.ok(all.some(({ text }) => text.includes("started")));
    for (let tail = 0; tail <= all.length; tail++) {
      assert.deepEqual(await harness.driver.logs("w1", tail), all.slice(all.length - tail));
    }
  },

  async "remove deletes an ended workload with its logs"(harness) {
    await startAndWait(harness, "w1", "ends with 3");
    await until(harness, async () => (await observe(harness, "w1")).state === "ended");
    await harness.driver.remove("w1");
    await harness.driver.remove("w1");
    assert.deepEqual(await harness.driver.list(), []);
    assert.deepEqual(await harness.driver.logs("w1", 10), []);
    await startAndWait(harness, "w1", "runs");
    assert.equal(await startCount(harness, "w1"), 1);
  },

  async "remove and wipe refuse a running workload"(harness) {
    await startAndWait(harness, "w1", "runs");
    await assert.rejects(harness.driver.remove("w1"), /w1.*stop/);
    await assert.rejects(harness.driver.wipe("w1"), /w1.*stop/);
    assert.equal((await observe(harness, "w1")).state, "running");
  },

  async "a wiped workload is not listed, keeps its log and can be started again"(harness) {
    await startAndWait(harness, "w1", "ends with 3");
    await until(harness, async () => (await observe(harness, "w1")).state === "ended");
    await harness.driver.wipe("w1");
    await harness.driver.wipe("w1");
    assert.deepEqual(await harness.driver.list(), []);
    assert.equal(await startCount(harness, "w1"), 1);
    await harness.driver.start(harness.workload("w1", "runs"));
    await until(harness, async () => (await startCount(harness, "w1")) === 2);
    await harness.settle(harness.driver.stop("w1", GRACE_MS));
    await harness.driver.remove("w1");
    assert.deepEqual(await harness.driver.logs("w1", 10), []);
  },

  async "listeners are notified of a start and an end until they unsubscribe, even if another one throws"(
    harness,
  ) {
    const notifications: string[] = [];
    harness.driver.onChange(() => {
      throw new Error("an error in a listener");
    });
    const unsubscribe = harness.driver.onChange((id) => notifications.push(id));
    await startAndWait(harness, "w1", "runs");
    assert.deepEqual(notifications, ["w1"]);
    await harness.settle(harness.driver.stop("w1", GRACE_MS));
    assert.deepEqual(notifications, ["w1", "w1"]);
    unsubscribe();
    await startAndWait(harness, "w2", "runs");
    assert.deepEqual(notifications, ["w1", "w1"]);
  },

  async "usage covers running workloads only"(harness) {
    assert.deepEqual(await harness.driver.usage(), []);
    await startAndWait(harness, "w1", "runs");
    await startAndWait(harness, "w2", "ends with 3");
    await until(harness, async () => (await observe(harness, "w2")).state === "ended");
    // A platform may measure a new workload some seconds after its start.
    await until(harness, async () => (await harness.driver.usage()).length > 0);
    const [usage, ...more] = await harness.driver.usage();
    assert.deepEqual([usage?.id, more], ["w1", []]);
    const { at, cpuMs, memoryBytes } = usage!;
    assert.ok(at > 0 && cpuMs >= 0 && memoryBytes >= 0);
    assert.ok([null, "enforced", "measured"].includes(await harness.driver.quota()));
  },

  async "list returns copies"(harness) {
    await startAndWait(harness, "w1", "runs");
    Object.assign(await observe(harness, "w1"), { state: "ended", exitCode: 9 });
    assert.equal((await observe(harness, "w1")).state, "running");
  },
};
