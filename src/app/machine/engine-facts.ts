// What the engine of this machine reports of itself, for the machine's inventory. An engine that does not answer, or is slow, holds
// up no start: the loop that watches it asks again.

import { Deadline, LATE, systemClock, within } from "../../base/clock.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import { inspectEngine } from "./remote-host.ts";

/** A start waits for the engine this long at most. */
const ENGINE_AT_START_MS = 10_000;

export interface EngineFacts {
  engineVersion: string | null;
  quota: Inventory["quota"];
}

/** Rejects if the engine does not answer. */
export async function readEngineFacts(docker: DockerDriver): Promise<EngineFacts> {
  const { system } = await inspectEngine(docker);
  return { engineVersion: system.engineVersion, quota: await docker.quota() };
}

/** Null if the engine does not tell in time. */
export function engineFactsAtStart(docker: DockerDriver): Promise<EngineFacts | null> {
  return inTime(async () => {
    if (!(await docker.engine.isReachable())) return null;
    return readEngineFacts(docker);
  });
}

/** Null if it fails, or takes longer than a start waits; it then goes on. */
export async function inTime<T>(work: () => Promise<T>): Promise<T | null> {
  const deadline = new Deadline(systemClock, ENGINE_AT_START_MS);
  const result = await within(deadline, work).catch(() => null);
  return result === LATE ? null : result;
}

/** The fields of the inventory that the engine reports. */
export function withEngineFacts(
  inventory: Pick<Inventory, "system">,
  { engineVersion, quota }: EngineFacts,
): Pick<Inventory, "system" | "quota"> {
  const { system } = inventory;
  return {
    ...(system && { system: { ...system, engineVersion } }),
    ...(quota && { quota }),
  };
}
