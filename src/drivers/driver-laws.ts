// What every driver owes to the product, run against each adapter by its own test file. A law says
// nothing about how: only what the port promises.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NotReached } from "../domain/pod/unreached.ts";
import { StartRefused } from "./driver.ts";
import { type Bench, begin, begun, GRACE_MS, type Law, see, until } from "./law-bench.ts";
import { followed, following } from "./log-laws.ts";

const LONG_GRACE_MS = 60_000;

export function driverLaws(name: string, open: () => Promise<Bench>): void {
  describe(`the laws of a driver: ${name}`, () => {
    for (const [law, prove] of Object.entries({
      ...starting,
      ...ending,
      ...knowing,
      ...following,
    })) {
      it(law, async () => {
        const bench = await open();
        try {
          await prove(bench);
        } finally {
          await bench.dispose();
        }
      });
    }
  });
}

const starting: Record<string, Law> = {
  async "a started workload is seen running"(bench) {
    await begin(bench, "w1", "runs");
    const { startedAt, address: _, ...rest } = await see(bench, "w1");
    assert.deepEqual(rest, {
      id: "w1",
      state: "running",
      endedAt: null,
      exitCode: null,
      signal: null,
    });
    assert.ok(Number.isInteger(startedAt) && startedAt > 0);
  },

  async "starting what runs changes nothing"(bench) {
    await begin(bench, "w1", "runs");
    const before = await see(bench, "w1");
    await bench.driver.start(bench.workload("w1", "runs"));
    await bench.wait();
    assert.deepEqual(await bench.driver.list(), [before]);
    assert.equal(await begun(bench, "w1"), 1);
  },

  async "starts at the same moment start one"(bench) {
    const workload = bench.workload("w1", "runs");
    await Promise.all([1, 2, 3, 4].map(() => bench.driver.start(workload)));
    await until(bench, async () => (await begun(bench, "w1")) > 0);
    await bench.wait();
    assert.equal(await begun(bench, "w1"), 1);
    assert.equal((await bench.driver.list()).length, 1);
  },

  async "what ended can be started again, is seen as new and keeps its log"(bench) {
    await begin(bench, "w1", "ends with 3");
    await until(bench, async () => (await see(bench, "w1")).state === "ended");
    await bench.driver.start(bench.workload("w1", "runs"));
    await until(bench, async () => (await begun(bench, "w1")) === 2);
    const { state, endedAt, exitCode } = await see(bench, "w1");
    assert.deepEqual(
      { state, endedAt, exitCode },
      { state: "running", endedAt: null, exitCode: null },
    );
  },

  async "an id that could be read as a path is refused and leaves nothing"(bench) {
    const ids = ["", "..", "../x", "a/b", "a b", "a\0", "é", "x".repeat(65)];
    for (const id of ids) {
      await assert.rejects(
        bench.driver.start({ ...bench.workload("w1", "runs"), id }),
        (error) => error instanceof StartRefused && error.message.includes("id"),
      );
    }
    assert.deepEqual(await bench.driver.list(), []);
    await bench.driver.start(bench.workload("x".repeat(64), "runs"));
    await bench.driver.start(bench.workload("A_-9", "runs"));
    assert.equal((await bench.driver.list()).length, 2);
  },
};

const ending: Record<string, Law> = {
  async "what ends by itself is seen with its exit code"(bench) {
    await begin(bench, "w1", "ends with 3");
    await until(bench, async () => (await see(bench, "w1")).state === "ended");
    const { exitCode, signal, startedAt, endedAt } = await see(bench, "w1");
    assert.deepEqual({ exitCode, signal }, { exitCode: 3, signal: null });
    assert.ok(endedAt !== null && endedAt >= startedAt);
  },

  async "stop resolves once it is gone, and again at once"(bench) {
    await begin(bench, "w1", "runs");
    await bench.settle(bench.driver.stop("w1", LONG_GRACE_MS));
    const seen = await see(bench, "w1");
    assert.equal(seen.state, "ended");
    assert.notEqual(seen.signal, "SIGKILL");
    await bench.driver.stop("w1", 0);
    assert.deepEqual(await see(bench, "w1"), seen);
  },

  async "what ignores SIGTERM is killed when the grace has run out"(bench) {
    await begin(bench, "w1", "ignores SIGTERM");
    await bench.settle(bench.driver.stop("w1", GRACE_MS));
    const { state, exitCode, signal } = await see(bench, "w1");
    assert.deepEqual(
      { state, exitCode, signal },
      { state: "ended", exitCode: null, signal: "SIGKILL" },
    );
  },

  async "a second stop can hurry the first"(bench) {
    await begin(bench, "w1", "ignores SIGTERM");
    const patient = bench.driver.stop("w1", LONG_GRACE_MS);
    await bench.settle(Promise.all([bench.driver.stop("w1", 0), patient]));
    assert.equal((await see(bench, "w1")).signal, "SIGKILL");
  },

  async "a second stop cannot slow the first"(bench) {
    await begin(bench, "w1", "ignores SIGTERM");
    const urgent = bench.driver.stop("w1", GRACE_MS);
    await bench.settle(Promise.all([bench.driver.stop("w1", LONG_GRACE_MS), urgent]));
    assert.equal((await see(bench, "w1")).signal, "SIGKILL");
  },

  async "a start during a stop starts it anew afterwards"(bench) {
    await begin(bench, "w1", "ignores SIGTERM");
    const stopped = bench.driver.stop("w1", GRACE_MS);
    await bench.settle(Promise.all([bench.driver.start(bench.workload("w1", "runs")), stopped]));
    await until(bench, async () => (await begun(bench, "w1")) === 2);
    assert.equal((await see(bench, "w1")).state, "running");
  },

  async "a stop during a start ends what was started"(bench) {
    const started = bench.driver.start(bench.workload("w1", "runs"));
    await bench.settle(Promise.all([bench.driver.stop("w1", GRACE_MS), started]));
    assert.equal((await see(bench, "w1")).state, "ended");
  },

  async "what nobody knows is gone: stop, remove and logs say so without fuss"(bench) {
    for (const id of ["unknown", "../x", ""]) {
      await bench.driver.stop(id, 0);
      await bench.driver.remove(id);
      assert.deepEqual(await bench.driver.logs(id, 10), []);
      await bench.driver.wipe(id);
      assert.deepEqual(await followed(bench, id, null), []);
    }
  },
};

const knowing: Record<string, Law> = {
  async "a port that nothing listens on is not reached, nor any of what does not run"(bench) {
    const refused = (id: string) =>
      assert.rejects(bench.driver.dial(id, 1), (error) => error instanceof NotReached);
    for (const id of ["unknown", "../x", ""]) await refused(id);
    await begin(bench, "w1", "runs");
    await refused("w1");
    await bench.settle(bench.driver.stop("w1", GRACE_MS));
    await refused("w1");
  },

  async "logs are the last lines, oldest first, also after the end"(bench) {
    await begin(bench, "w1", "runs");
    await bench.settle(bench.driver.stop("w1", GRACE_MS));
    const all = await bench.driver.logs("w1", 1000);
    assert.ok(all.some(({ text }) => text.includes("begun")));
    for (let tail = 0; tail <= all.length; tail++) {
      assert.deepEqual(await bench.driver.logs("w1", tail), all.slice(all.length - tail));
    }
  },

  async "remove forgets an ended workload with its logs"(bench) {
    await begin(bench, "w1", "ends with 3");
    await until(bench, async () => (await see(bench, "w1")).state === "ended");
    await bench.driver.remove("w1");
    await bench.driver.remove("w1");
    assert.deepEqual(await bench.driver.list(), []);
    assert.deepEqual(await bench.driver.logs("w1", 10), []);
    await begin(bench, "w1", "runs");
    assert.equal(await begun(bench, "w1"), 1);
  },

  async "remove and wipe refuse what still runs"(bench) {
    await begin(bench, "w1", "runs");
    await assert.rejects(bench.driver.remove("w1"), /w1.*stop/);
    await assert.rejects(bench.driver.wipe("w1"), /w1.*stop/);
    assert.equal((await see(bench, "w1")).state, "running");
  },

  async "what is wiped is listed no more, keeps its log and can be started again"(bench) {
    await begin(bench, "w1", "ends with 3");
    await until(bench, async () => (await see(bench, "w1")).state === "ended");
    await bench.driver.wipe("w1");
    await bench.driver.wipe("w1");
    assert.deepEqual(await bench.driver.list(), []);
    assert.equal(await begun(bench, "w1"), 1);
    await bench.driver.start(bench.workload("w1", "runs"));
    await until(bench, async () => (await begun(bench, "w1")) === 2);
    await bench.settle(bench.driver.stop("w1", GRACE_MS));
    await bench.driver.remove("w1");
    assert.deepEqual(await bench.driver.logs("w1", 10), []);
  },

  async "listeners hear of a start and an end until they leave, and one that throws harms nobody"(
    bench,
  ) {
    const heard: string[] = [];
    bench.driver.onChange(() => {
      throw new Error("a listener's own trouble");
    });
    const leave = bench.driver.onChange((id) => heard.push(id));
    await begin(bench, "w1", "runs");
    assert.deepEqual(heard, ["w1"]);
    await bench.settle(bench.driver.stop("w1", GRACE_MS));
    assert.deepEqual(heard, ["w1", "w1"]);
    leave();
    await begin(bench, "w2", "runs");
    assert.deepEqual(heard, ["w1", "w1"]);
  },

  async "use is known of what runs, and of nothing else"(bench) {
    assert.deepEqual(await bench.driver.usage(), []);
    await begin(bench, "w1", "runs");
    await begin(bench, "w2", "ends with 3");
    await until(bench, async () => (await see(bench, "w2")).state === "ended");
    const [usage, ...more] = await bench.driver.usage();
    assert.deepEqual([usage?.id, more], ["w1", []]);
    const { at, cpuMs, memoryBytes } = usage!;
    assert.ok(at > 0 && cpuMs >= 0 && memoryBytes >= 0);
    assert.ok([null, "enforced", "measured"].includes(await bench.driver.quota()));
  },

  async "what list gives away is a copy"(bench) {
    await begin(bench, "w1", "runs");
    Object.assign(await see(bench, "w1"), { state: "ended", exitCode: 9 });
    assert.equal((await see(bench, "w1")).state, "running");
  },
};
