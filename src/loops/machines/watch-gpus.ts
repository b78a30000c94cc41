// Reads the GPUs of a machine again: often while some cannot be read, and at times while all can.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type Hardware, type Inventory, inventoryOf } from "../../domain/machine/inventory.ts";
import type { Store } from "../../store/engine/store.ts";
import { observeGpus } from "../../transactions/machine/gpus/observe-gpus.ts";
import type { Loop } from "../engine/loop.ts";

const PERIOD_MS = 300_000;
const TROUBLE_PERIOD_MS = 10_000;

type Reading = Required<
  Pick<Hardware, "gpus" | "gpuDriver" | "cudaVersion" | "gpuTrouble" | "gpuFaults">
>;

interface Deps {
  store: Store;
  clock: Clock;
  log: Logger;
  catalog: Catalog;
  machine: string;
  /** What the machine offers, which other loops read; a new reading changes it. */
  inventory: Inventory;
  /** The CUDA version that the operator declared, which replaces the detected one. */
  declaredCuda: string | null;
  /** Whether virtual GPUs are asked for beside real ones; those that stand in for none end with the first real one. */
  declaredVirtual: boolean;
  readGpus: () => Promise<Reading>;
}

export function watchGpusLoop(deps: Deps): Loop {
  const {
    store,
    clock,
    log,
    catalog,
    machine,
    inventory,
    declaredCuda,
    declaredVirtual,
    readGpus,
  } = deps;
  let [last, logged]: [string | null, string | null] = [null, null];
  const virtual = inventory.gpus.filter((group) => group.virtual);
  return {
    name: "watch-gpus",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: TROUBLE_PERIOD_MS,
    topics: [],
    async run() {
      const reading = await readGpus();
      const { gpuTrouble, gpuDriver, cudaVersion, gpuFaults } = reading;
      if (gpuTrouble !== logged) {
        if (gpuTrouble) log.warn({ machine, trouble: gpuTrouble }, "not all GPUs can be used");
        else if (logged) log.info({ machine }, "all GPUs can be used again");
        logged = gpuTrouble;
      }
      const text = JSON.stringify(reading);
      if (text !== last) {
        const hardware = { ...inventory, ...reading };
        const real = inventoryOf(catalog, hardware, {}, {}).gpus;
        const changed = {
          gpus:
            declaredVirtual || (real.length === 0 && !gpuTrouble) ? [...real, ...virtual] : real,
          gpuDriver,
          cudaVersion: declaredCuda ?? cudaVersion,
          gpuTrouble: gpuTrouble ?? undefined,
          gpuFaults: gpuFaults.length > 0 ? gpuFaults : undefined,
        };
        const before = Object.fromEntries(
          Object.keys(changed).map((key) => [key, inventory[key as keyof Inventory]]),
        );
        if (last !== null || JSON.stringify(before) !== JSON.stringify(changed)) {
          await store.write(observeGpus, machine, changed, clock.now());
          Object.assign(inventory, changed);
        }
        last = text;
      }
      return gpuTrouble === null ? null : clock.now() + TROUBLE_PERIOD_MS;
    },
  };
}
