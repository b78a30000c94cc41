// Makes the changes of MIG layouts that were requested, one after another.

import type { Clock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import { isSliceUuid } from "../../../domain/gpu/gpu-slices.ts";
import type { MigChangeResult } from "../../../domain/gpu/mig/mig-layout.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type {
  MigRecord,
  ReadMigProfiles,
  SetMigLayout,
} from "../../../drivers/machine/mig/set-mig-layout.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { gpuHealthOf } from "../../../store/replica/gpu-health.ts";
import {
  beginChange,
  recordMigChange,
  recordMigProfiles,
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
  readMigProfiles: ReadMigProfiles;
}

/** A machine that is not reached makes the change once it is; one that a stop or a failure of the service interrupts is made again. */
export function setMigLayoutsLoop(deps: Deps): Loop {
  const { store, clock, log, machine, inventory, limits, setMigLayout, readMigProfiles } = deps;
  let isStopped = false;
  /** The GPUs whose profiles were read, with the drivers that listed them. */
  const readings = new Set<string>();
  const nextChange = async () => (await store.read(requestedMigChanges, machine))[0];

  async function makeAll(): Promise<void> {
    for (let next = await nextChange(); next && !isStopped; next = await nextChange()) {
      const [uuid, change] = next;
      const record: MigRecord = {
        earlier: change.earlier ?? null,
        begin: (earlier) =>
          store.write(beginChange, machine, uuid, change, { earlier, now: clock.now() }),
      };
      const mayChange = limits.migLayouts === "set" || record.earlier !== null;
      const result = mayChange ? await setMigLayout(uuid, change.profiles, record) : NOT_ALLOWED;
      if (result === null) continue;
      await store.write(recordMigChange, machine, uuid, change, { ...result, at: clock.now() });
      log.info({ machine, gpu: uuid, ...result }, "the MIG layout of a GPU was to change");
      if (result.outcome === "set" && change.profiles !== null) await learnProfiles(uuid);
    }
    for (const uuid of await unlistedGpus()) if (!isStopped) await learnProfiles(uuid);
  }

  /** The driver lists profiles only for GPUs in MIG mode, and another driver may list others. */
  async function unlistedGpus(): Promise<string[]> {
    const { gpuSlices = {}, gpuFaults = [], gpuDriver } = inventory;
    const empty = gpuFaults.filter(({ code }) => code === "mig_mode").map(({ uuid }) => uuid);
    const inMigMode = [...new Set([...Object.values(gpuSlices).map(({ gpu }) => gpu), ...empty])];
    if (inMigMode.length === 0) return [];
    const { migProfiles = {} } = (await store.read(gpuHealthOf, machine)) ?? {};
    return inMigMode.filter(
      (uuid) =>
        !isSliceUuid(uuid) &&
        !readings.has(`${uuid} ${gpuDriver}`) &&
        migProfiles[uuid]?.driver !== gpuDriver,
    );
  }

  async function learnProfiles(uuid: string): Promise<void> {
    const { gpuDriver: driver } = inventory;
    const profiles = await readMigProfiles(uuid);
    readings.add(`${uuid} ${driver}`);
    if (profiles.length === 0) return;
    await store.write(recordMigProfiles, machine, uuid, { driver, profiles });
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
