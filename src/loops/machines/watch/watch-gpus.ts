// Reads the GPUs of a machine again: often while some cannot be read, and at times while all can.

import type { Clock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { type GpuLimits, judgeChecks, type ReadGpu } from "../../../domain/gpu/checks.ts";
import { gpuFaultText } from "../../../domain/gpu/gpu-health.ts";
import { uuidsWithin } from "../../../domain/gpu/gpu-slices.ts";
import { type MemoryErrors, memoryErrorsOf } from "../../../domain/gpu/memory-errors.ts";
import {
  type GpuHardware,
  type Inventory,
  inventoryOf,
} from "../../../domain/machine/inventory.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { recordForgottenLinks } from "../../../transactions/machine/gpus/forget-links.ts";
import { recordReadLayouts } from "../../../transactions/machine/gpus/mig/mig-layouts.ts";
import {
  forgetMigLayouts,
  restoreMigLayouts,
} from "../../../transactions/machine/gpus/mig/restore-layouts.ts";
import { observeGpus } from "../../../transactions/machine/gpus/observe-gpus.ts";
import { endOnLostGpus } from "../../../transactions/machine/gpus/quarantine.ts";
import { readingRequests } from "../../../transactions/machine/gpus/reading-requests.ts";
import { recordMemoryErrors } from "../../../transactions/machine/gpus/record-memory-errors.ts";
import { returnCleanGpus } from "../../../transactions/machine/gpus/return-clean-gpus.ts";
import type { Loop } from "../../engine/loop.ts";

const PERIOD_MS = 300_000;
const TROUBLE_PERIOD_MS = 10_000;
/** While something is read that counts once it lasts, or a GPU waits for its return. */
const LASTING_PERIOD_MS = 60_000;

type Reading = GpuHardware & {
  readings: readonly ReadGpu[];
  /** True if a driver did not answer, and its GPUs, which have no readings, are what it said before. */
  isSilent?: true;
};

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
  /** Whether simulated GPUs are asked for beside real ones; those that stand in for none end with the first real one. */
  declaredVirtual: boolean;
  limits: GpuLimits;
  readGpus: (forgottenLinks: readonly string[]) => Promise<Reading>;
}

export function watchGpusLoop(deps: Deps): Loop {
  const { store, clock, log, machine, limits, readGpus } = deps;
  const recordReading = readingRecorder(deps);
  const recordErrors = memoryErrorRecorder(deps);
  const endLost = lossEnder(deps);
  let logged: string | null = null;
  let checked: Checked = { faults: [], notices: [], since: new Map() };
  return {
    name: "watch-gpus",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: TROUBLE_PERIOD_MS,
    topics: [topic.gpus(machine)],
    async run() {
      const { changedGpus, forgottenLinks, dividedGpus } = await store.read(
        readingRequests,
        machine,
      );
      const reading = await readGpus(forgottenLinks);
      const silent = silentGpus(reading);
      const at = { now: clock.now(), limits };
      checked = withFindings(judgeChecks(reading.readings, checked.since, at), checked, silent);
      const faultTexts = checked.faults.map(gpuFaultText);
      const troubles = [
        ...(reading.gpuTrouble === null ? [] : [reading.gpuTrouble]),
        ...faultTexts,
      ];
      const gpuTrouble = troubles.length === 0 ? null : troubles.join("; ");
      const gpuFaults = [...reading.gpuFaults, ...checked.faults];
      const gpuNotices = [...reading.gpuNotices, ...checked.notices];
      logTrouble(gpuTrouble);
      await recordReading({ ...reading, gpuTrouble, gpuFaults, gpuNotices });
      await endLost(reading, at);
      if (forgottenLinks.length > 0)
        await store.write(recordForgottenLinks, machine, forgottenLinks);
      await recordErrors(memoryErrorsOf(reading.readings));
      if (changedGpus.length > 0 && !reading.isSilent)
        await store.write(recordReadLayouts, machine, changedGpus);
      if (dividedGpus.length > 0 && !reading.isSilent) await restoreLayouts(dividedGpus);
      const faulty = new Set(gpuFaults.flatMap(({ uuid }) => uuidsWithin(reading, uuid)));
      const isWaiting = await returnGpus({ gpus: withSliceReadings(reading), faulty, silent });
      if (gpuTrouble !== null || reading.isSilent) return clock.now() + TROUBLE_PERIOD_MS;
      return checked.since.size > 0 || isWaiting ? clock.now() + LASTING_PERIOD_MS : null;
    },
  };

  /** True while another reading may return a GPU. */
  async function returnGpus(read: Parameters<typeof returnCleanGpus>[1]): Promise<boolean> {
    if (limits.returnMinutes === 0) return false;
    const at = { now: clock.now(), limits };
    const { returned, isWaiting } = await store.write(returnCleanGpus, machine, read, at);
    for (const gpu of returned) log.info({ machine, gpu }, "a GPU is back from quarantine");
    return isWaiting;
  }

  async function restoreLayouts(dividedGpus: readonly string[]): Promise<void> {
    if (limits.migLayouts !== "set") return store.write(forgetMigLayouts, machine, dividedGpus);
    const gpus = await store.write(restoreMigLayouts, machine, clock.now());
    if (gpus.length > 0) log.warn({ machine, gpus }, "MIG devices that were set are not there");
  }

  function logTrouble(trouble: string | null): void {
    if (trouble === logged) return;
    if (trouble) log.warn({ machine, trouble }, "not all GPUs can be used");
    else if (logged) log.info({ machine }, "all GPUs can be used again");
    logged = trouble;
  }
}

/**
 * Ends what is on a lost GPU: one that two readings in turn lack. A write that fails is repeated after the next reading.
 */
function lossEnder({ store, machine }: Pick<Deps, "store" | "machine">) {
  let misses: ReadonlyMap<string, number> = new Map();
  return async (reading: Reading, at: { now: number; limits: GpuLimits }): Promise<void> => {
    const counts = countMisses(reading, misses);
    const lost = [...counts.keys()].filter(
      (uuid) => counts.get(uuid) === 2 && misses.get(uuid) === 1,
    );
    const loss = { trouble: reading.gpuTrouble, ...at };
    if (lost.length > 0) await store.write(endOnLostGpus, machine, lost, loss);
    misses = counts;
  };
}

/** How many readings in turn have missed each GPU. A driver that fails or is silent says nothing of its GPUs. */
function countMisses(
  { gpus, gpuNumbers, gpuSlices, gpuFaults, isSilent }: Reading,
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (isSilent || gpuFaults.some(({ code }) => code === "stale")) return before;
  const present = new Set(gpus.flatMap(({ uuid = "" }) => [uuid, gpuSlices[uuid]?.gpu ?? uuid]));
  const missing = Object.keys(gpuNumbers).filter((uuid) => !present.has(uuid));
  return new Map(missing.map((uuid) => [uuid, (before.get(uuid) ?? 0) + 1]));
}

/** The UUIDs of the GPUs whose driver did not answer, though that is no trouble yet. */
function silentGpus({ gpus, gpuSlices, readings, isSilent }: Reading): ReadonlySet<string> {
  if (!isSilent) return new Set();
  const read = new Set(readings.map(({ uuid }) => uuid));
  const all = gpus.flatMap(({ uuid = "" }) => [uuid, gpuSlices[uuid]?.gpu ?? uuid]);
  return new Set(all.filter((uuid) => !read.has(gpuSlices[uuid]?.gpu ?? uuid)));
}

/** The readings of the GPUs, and for each MIG device that of its GPU. */
function withSliceReadings({ readings, gpus, gpuSlices }: Reading): ReadGpu[] {
  const slices = gpus.flatMap(({ index, uuid = "" }) => {
    const whole = readings.find((each) => each.uuid === gpuSlices[uuid]?.gpu);
    return whole ? [{ index, uuid, readings: whole.readings }] : [];
  });
  return [...readings, ...slices];
}

type Checked = ReturnType<typeof judgeChecks>;

/** Adds what was found before about these GPUs. */
function withFindings(checked: Checked, before: Checked, uuids: ReadonlySet<string>): Checked {
  const isAbout = ({ uuid }: { uuid: string }) => uuids.has(uuid);
  const since = [...before.since].filter(([key]) => uuids.has(key.split(" ")[0]!));
  return {
    faults: [...before.faults.filter(isAbout), ...checked.faults],
    notices: [...before.notices.filter(isAbout), ...checked.notices],
    since: new Map([...since, ...checked.since]),
  };
}

/** Writes a reading that differs from the one before, and from what the machine offers. */
function readingRecorder(deps: Deps): (reading: Reading) => Promise<void> {
  const { store, clock, catalog, machine, inventory, declaredCuda, declaredVirtual } = deps;
  const virtual = inventory.gpus.filter((group) => group.virtual);
  let last: string | null = null;
  return async (reading) => {
    const { gpuTrouble, gpuDriver, cudaVersion, gpuFaults, gpuNotices } = reading;
    const { gpuNumbers, gpuAddresses, gpuNodes, gpuLinks, gpuSlices } = reading;
    const real = inventoryOf(catalog, { ...inventory, ...reading }, {}, {}).gpus;
    const changed = {
      gpus: declaredVirtual || (real.length === 0 && !gpuTrouble) ? [...real, ...virtual] : real,
      gpuDriver,
      cudaVersion: declaredCuda ?? cudaVersion,
      gpuTrouble: gpuTrouble ?? undefined,
      gpuFaults: gpuFaults.length > 0 ? gpuFaults : undefined,
      gpuNotices: gpuNotices.length > 0 ? gpuNotices : undefined,
      gpuSlices: Object.keys(gpuSlices).length > 0 ? gpuSlices : undefined,
      gpuNumbers: Object.keys(gpuNumbers).length > 0 ? gpuNumbers : undefined,
      gpuAddresses: Object.keys(gpuAddresses).length > 0 ? gpuAddresses : undefined,
      gpuNodes: Object.keys(gpuNodes).length > 0 ? gpuNodes : undefined,
      gpuLinks: Object.keys(gpuLinks).length > 0 ? gpuLinks : undefined,
    };
    const text = JSON.stringify(changed);
    if (text === last) return;
    const before = Object.fromEntries(
      Object.keys(changed).map((key) => [key, inventory[key as keyof Inventory]]),
    );
    if (last !== null || JSON.stringify(before) !== text) {
      await store.write(observeGpus, machine, changed, clock.now());
      Object.assign(inventory, changed);
    }
    last = text;
  };
}

function memoryErrorRecorder(deps: Deps): (errors: Record<string, MemoryErrors>) => Promise<void> {
  const { store, clock, log, machine, limits } = deps;
  let counted: string | null = null;
  return async (errors) => {
    const text = JSON.stringify(errors);
    if (text === counted || text === "{}") return;
    const period = { at: clock.now(), limits };
    const quarantined = await store.write(recordMemoryErrors, machine, errors, period);
    if (quarantined === null) return;
    counted = text;
    for (const [uuid, { reason, recommendation }] of quarantined) {
      log.error({ machine, gpu: uuid, reason, recommendation }, "a GPU is in quarantine");
    }
  };
}
