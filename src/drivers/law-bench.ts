// What the laws of drivers are proven with: one adapter, and workloads that act in known ways.
import assert from "node:assert/strict";
import type { Driver, Sighting, Workload } from "./driver.ts";

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

export type Law = (bench: Bench) => Promise<void>;

export const GRACE_MS = 60;

/** Starts it and waits for its first word, so that what follows finds it at work. */
export async function begin(bench: Bench, id: string, conduct: Conduct): Promise<void> {
  await bench.driver.start(bench.workload(id, conduct));
  await until(bench, async () => (await begun(bench, id)) > 0);
}

export async function begun(bench: Bench, id: string): Promise<number> {
  const lines = await bench.driver.logs(id, 1000);
  return lines.filter(({ text }) => text.includes("begun")).length;
}

export async function see(bench: Bench, id: string): Promise<Sighting> {
  const seen = (await bench.driver.list()).filter((sighting) => sighting.id === id);
  assert.equal(seen.length, 1, `${id} is listed once`);
  return seen[0]!;
}

export async function until(bench: Bench, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (await holds()) return;
    await bench.wait();
  }
  assert.fail("what was waited for never came");
}
