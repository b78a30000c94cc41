// What this machine offers, determined at the start.

import type { Config } from "../../config/config.ts";
import { ofEvery } from "../../config/machine/machine-config.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { inventoryOf, SIMULATED_HARDWARE } from "../../domain/machine/inventory.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import { inspectMachine } from "../../drivers/machine/hardware.ts";
import type { Gpus } from "../../drivers/machine/nvidia-smi.ts";
import { type EngineFacts, withEngineFacts } from "./engine-facts.ts";

/** The number of simulated GPUs per type on a laptop, so that everything about GPUs can be tried. */
const ON_A_LAPTOP = 8;

/** `engine` is null if there is none, or if it did not answer. */
export async function ownInventory(
  config: Config,
  { docker, engine }: { docker: DockerDriver | null; engine: EngineFacts | null },
  readGpus: () => Promise<Gpus>,
  hasScenario: boolean,
): Promise<Inventory> {
  const { catalog, loopback, machine, simulatedGpus, cpuOvercommit } = config;
  const found = await inspectMachine(config.dataFolder, readGpus);
  const isSimulated = docker === null && config.drivers.includes("simulated");
  const hardware = {
    ...found,
    ...(isSimulated && SIMULATED_HARDWARE),
  };
  // Simulated GPUs never take the place of real ones that cannot be read.
  const mayHave =
    !hardware.gpuTrouble &&
    !hasScenario &&
    (isSimulated || (loopback && hardware.gpus.length === 0));
  const usual = mayHave ? ofEvery(catalog, ON_A_LAPTOP) : {};
  const inventory: Inventory = {
    ...inventoryOf(catalog, hardware, machine, simulatedGpus ?? usual),
    ...(isSimulated && { simulated: true }),
    ...(cpuOvercommit > 1 && { cpuOvercommit }),
  };
  return engine === null ? inventory : { ...inventory, ...withEngineFacts(inventory, engine) };
}
