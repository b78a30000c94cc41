// Makes the changes of MIG layouts that were requested, one after another.

import type { Clock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import type { MigChangeResult } from "../../../domain/gpu/mig/mig-layout.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { MigRecord, SetMigLayout } from "../../../drivers/machine/mig/set-mig-layout.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import {
  beginChange,
  recordMigChange,
  requestedMigChanges,
} from "../../../transactions/machine/gpus/mig/mig-layouts.ts";
import type { Loop } from "../../engine/loop.ts";
import { gpuRequestsLoop } from "./gpu-requests.ts";

/** The driver's program ends with the change that it makes. */
const STOP_MS = 10_000;

interface Deps {
  store: Store;
  clock: Clock;
  log: Logger;
  machine: string;
  /** What the machine offers, which other loops read. */
  inventory: Inventory;
  limits: Pick<GpuLimits, "migLayouts">;
  setMigLayout: SetMigLayout;
}

/** A machine that is not reached makes the change once it is; one that a stop or a failure of the service interrupts is made again. */
export function setMigLayoutsLoop(deps: Deps): Loop {
  const { store, clock, log, machine, limits, setMigLayout } = deps;
  let isStopped = false;
  const nextChange = async () => (await store.read(requestedMigChanges, machine))[0];

  async function makeAll(): Promise<void> {
    for (let next = await nextChange(); next && !isStopped; next = await nextChange()) {
      const [uuid, change] = next;
      const record: MigRecord = {
        earlier: change.earlier ?? null,
        begin: (earlier) => store.write(beginChange, machine, uuid, change, earlier),
      };
      const mayChange = limits.migLayouts === "set" || record.earlier !== null;
      const result = mayChange ? await setMigLayout(uuid, change.profiles, record) : NOT_ALLOWED;
      if (result === null) continue;
      await store.write(recordMigChange, machine, uuid, change, { ...result, at: clock.now() });
      log.info({ machine, gpu: uuid, ...result }, "the MIG layout of a GPU was to change");
    }
  }

  return gpuRequestsLoop(deps, {
    name: "set-mig-layouts",
    topic: topic.migLayouts(machine),
    stopMs: STOP_MS,
    carryOut: makeAll,
    interrupt() {
      isStopped = true;
    },
  });
}

const NOT_ALLOWED: MigChangeResult = {
  outcome: "refused",
  text: 'the service may not change MIG layouts; FREEHOLD_GPU_CHECKS=\'{"migLayouts": "set"}\' allows it',
};
