// What every driver owes to the product, run against each adapter by its own test file. A law says
// nothing about how: only what the port promises.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Driver, type Sighting, StartRefused, type Workload } from "./driver.ts";

/** How a workload of the laws acts. Each prints a line with the word `begun` when it starts. */
export type Conduct = "runs" | "ends with 3" | "ignores SIGTERM";

/** One adapter, freshly opened, with the means to let its time pass. */
export interface Bench {
  driver: Driver;
  workload(id: string, conduct: Conduct): Workload;
  /** Lets time pass until the promise settles. */
  settle<T>(promise: Promise<T>): Promise<T>;
  /** Lets a little time pass. */
  wait(): Promise<void>;
  dispose(): Promise<void>;
}

const GRACE_MS = 60;
const LONG_GRACE_MS = 60_000;

type Law = (bench: Bench) => Promise<void>;

export function driverLaws(name: string, open: () => Promise<Bench>): void {
  describe(`the laws of a driver: ${name}`, () => {
    for (const [law, prove] of Object.entries({ ...starting, ...ending, ...knowing })) {
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
    }
  },
};

const knowing: Record<string, Law> = {
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

  async "remove refuses what still runs"(bench) {
    await begin(bench, "w1", "runs");
    await assert.rejects(bench.driver.remove("w1"), /w1.*stop/);
    assert.equal((await see(bench, "w1")).state, "running");
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

  async "what list gives away is a copy"(bench) {
    await begin(bench, "w1", "runs");
    Object.assign(await see(bench, "w1"), { state: "ended", exitCode: 9 });
    assert.equal((await see(bench, "w1")).state, "running");
  },
};

/** Starts it and waits for its first word, so that what follows finds it at work. */
async function begin(bench: Bench, id: string, conduct: Conduct): Promise<void> {
  await bench.driver.start(bench.workload(id, conduct));
  await until(bench, async () => (await begun(bench, id)) > 0);
}

async function begun(bench: Bench, id: string): Promise<number> {
  const lines = await bench.driver.logs(id, 1000);
  return lines.filter(({ text }) => text.includes("begun")).length;
}

async function see(bench: Bench, id: string): Promise<Sighting> {
  const seen = (await bench.driver.list()).filter((sighting) => sighting.id === id);
  assert.equal(seen.length, 1, `${id} is listed once`);
  return seen[0]!;
}

async function until(bench: Bench, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (await holds()) return;
    await bench.wait();
  }
  assert.fail("what was waited for never came");
}
