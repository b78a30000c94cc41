// The harness of the driver conformance suite: one adapter, and workloads with known behavior.
import assert from "node:assert/strict";
import type { Driver, Observation, Workload } from "../../../src/drivers/driver.ts";

/** The kinds of test workloads. Each prints a line with the word `started` when it starts. */
export type WorkloadKind = "runs" | "ends with 3" | "ignores SIGTERM";

/** One adapter, newly opened, with control over its time. */
export interface DriverHarness {
  driver: Driver;
  /** False if a second stop cannot shorten the grace period of the first. */
  canHurryStop?: boolean;
  workload(id: string, kind: WorkloadKind): Workload;
  /** Advances time until the promise settles. */
  settle<T>(promise: Promise<T>): Promise<T>;
  /** Advances time a little. */
  wait(): Promise<void>;
  dispose(): Promise<void>;
}

export type RuleTest = (harness: DriverHarness) => Promise<void>;

export const GRACE_MS = 60;

/** Starts a workload and waits for its first line. */
export async function startAndWait(
  harness: DriverHarness,
  id: string,
  kind: WorkloadKind,
): Promise<void> {
  await harness.driver.start(harness.workload(id, kind));
  await until(harness, async () => (await startCount(harness, id)) > 0);
}

export async function startCount(harness: DriverHarness, id: string): Promise<number> {
  const lines = await harness.driver.logs(id, 1000);
  return lines.filter(({ text }) => text.includes("started")).length;
}

export async function observe(harness: DriverHarness, id: string): Promise<Observation> {
  const observations = (await harness.driver.list()).filter((each) => each.id === id);
  assert.equal(observations.length, 1, `${id} is listed once`);
  return observations[0]!;
}

export async function until(harness: DriverHarness, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (await holds()) return;
    await harness.wait();
  }
  assert.fail("the expected event never came");
}
