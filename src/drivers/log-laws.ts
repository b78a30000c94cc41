// What every driver owes to whoever follows a log.
import assert from "node:assert/strict";
import type { LogLine } from "./driver.ts";
import { type Bench, begin, begun, GRACE_MS, type Law, see, until } from "./law-bench.ts";

export const following: Record<string, Law> = {
  async "who follows gets the log, what comes, and the end of the run"(bench) {
    await begin(bench, "w1", "runs");
    const lines = followed(bench, "w1", null);
    await bench.wait();
    await bench.settle(bench.driver.stop("w1", GRACE_MS));
    const got = await bench.settle(lines);
    assert.deepEqual(got, await bench.driver.logs("w1", 1000));
    assert.ok(got.some(({ text }) => text.includes("begun")));
  },

  async "who goes on behind a mark gets what stands behind it, of later runs too"(bench) {
    await begin(bench, "w1", "ends with 3");
    await until(bench, async () => (await see(bench, "w1")).state === "ended");
    const first = await bench.settle(followed(bench, "w1", null));
    const mark = first.at(-1)!.mark;
    assert.deepEqual(await bench.settle(followed(bench, "w1", mark)), []);
    await bench.driver.start(bench.workload("w1", "ends with 3"));
    await until(bench, async () => (await begun(bench, "w1")) === 2);
    await until(bench, async () => (await see(bench, "w1")).state === "ended");
    const second = await bench.settle(followed(bench, "w1", mark));
    assert.deepEqual([...first, ...second], await bench.driver.logs("w1", 1000));
    assert.equal(second.filter(({ text }) => text.includes("begun")).length, 1);
  },

  async "who goes away is let go at once"(bench) {
    await begin(bench, "w1", "runs");
    const gone = new AbortController();
    const lines = followed(bench, "w1", null, gone.signal);
    await bench.wait();
    gone.abort();
    await bench.settle(lines);
    assert.deepEqual(await bench.settle(followed(bench, "w1", null, AbortSignal.abort())), []);
    assert.equal((await see(bench, "w1")).state, "running");
  },
};

export async function followed(
  bench: Bench,
  id: string,
  after: string | null,
  gone = new AbortController().signal,
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const batch of bench.driver.follow(id, after, gone)) lines.push(...batch);
  return lines;
}
