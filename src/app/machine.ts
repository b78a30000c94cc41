// What this machine offers, put together at the start.

import type { Inventory } from "../domain/machine/inventory.ts";
import { inventoryOf } from "../domain/machine/inventory.ts";
import type { Looking } from "../drivers/driver.ts";
import { lookAtMachine } from "../drivers/machine/look.ts";
import { runHere } from "../drivers/machine/run.ts";
import type { Config } from "./config.ts";
import { ofEvery } from "./machine-config.ts";

/** On a laptop everything about GPUs can be tried: so many of every type, on paper. */
const ON_A_LAPTOP = 8;

export async function ownInventory(
  config: Config,
  env: Record<string, string | undefined>,
  engine: Pick<Looking, "quota"> | null,
): Promise<Inventory> {
  const { catalog, loopback, machine, virtualGpus } = config;
  const seen = await lookAtMachine(config.dataFolder, runHere(env));
  const usual = loopback && seen.gpus.length === 0 ? ofEvery(catalog, ON_A_LAPTOP) : {};
  const inventory = inventoryOf(catalog, seen, machine, virtualGpus ?? usual);
  // One that is away now is asked at the next start.
  const quota = (await engine?.quota().catch(() => null)) ?? null;
  return quota === null ? inventory : { ...inventory, quota };
}
