// A driver whose starts are struck by troubles: they come late, fail, or end in an eviction.

import { type Clock, pause } from "../../base/clock.ts";
import {
  type Driver,
  type Eviction,
  StartAborted,
  StartRefused,
  type StartReporter,
  type VolumeName,
  type Workload,
} from "../../drivers/driver.ts";
import { overrideMethods } from "../../drivers/override-methods.ts";
import type { VolumeFiles } from "../../drivers/volume-files.ts";

import { powerDriver } from "./machine-power.ts";
import type { MachineTroubles } from "./machine-troubles.ts";

const LATE_MS = 90_000;
const EVICTED_AFTER_MS = 60_000;
const EVICTION: Eviction = {
  cause: "evicted",
  sentence: "was evicted by the fault spot-eviction",
};

export function strikeDriver(
  driver: Driver,
  { troubles, power, fallen }: MachineTroubles,
  clock: Clock,
): Driver {
  /** The starts that are held, and the evictions to come, by workload. */
  const pending = new Map<string, AbortController>();
  const evicted = new Set<string>();
  const cancel = (id: string) => pending.get(id)?.abort();

  const troubled = overrideMethods(driver, {
    async start(workload, report) {
      const { id, image, isSpot } = workload;
      const subject = `${id} ${image}`;
      fallen.requireNotFallen(id);
      if (troubles.strikes("cold-start-90s", subject)) await hold(id, LATE_MS, report);
      if (troubles.strikes("registry-down", subject)) throw registryAway(workload);
      if (troubles.strikes("disk-full", subject)) throw noSpace();
      evicted.delete(id);
      await driver.start(workload, report);
      if (isSpot && troubles.strikes("spot-eviction", subject)) void evictLater(id);
    },
    stop(id, graceMs) {
      cancel(id);
      return driver.stop(id, graceMs);
    },
    async list() {
      const all = await driver.list();
      return all.map((each) => {
        const eviction = evicted.has(each.id) ? EVICTION : fallen.evictionOf(each.id);
        return each.state === "ended" && eviction ? { ...each, eviction } : each;
      });
    },
    ...(driver.volumeFiles && {
      async volumeFiles(volume: VolumeName, create: boolean) {
        const files = await driver.volumeFiles!(volume, create);
        return files && fillVolume(files, () => troubles.strikes("disk-full", volume.name));
      },
    }),
    close() {
      for (const each of pending.values()) each.abort();
      return driver.close();
    },
  });
  return powerDriver(troubled, power);

  /** Waits unless the workload is stopped meanwhile. */
  async function wait(id: string, ms: number): Promise<boolean> {
    const abort = new AbortController();
    pending.set(id, abort);
    await pause(clock, ms, abort.signal);
    if (pending.get(id) === abort) pending.delete(id);
    return !abort.signal.aborted;
  }

  async function hold(id: string, ms: number, report?: StartReporter): Promise<void> {
    report?.("the fault cold-start-90s holds the start");
    if (!(await wait(id, ms))) throw new StartAborted("it was stopped before it started");
  }

  async function evictLater(id: string): Promise<void> {
    if (!(await wait(id, EVICTED_AFTER_MS))) return;
    evicted.add(id);
    await driver.stop(id, 0).catch(() => {});
  }
}

const noSpace = () => new StartRefused("no space left on the machine's disk", "disk_full");

/** The files of a volume, to which nothing can be written while the disk is full. */
function fillVolume(files: VolumeFiles, isFull: () => boolean): VolumeFiles {
  const refuseIfFull = () => {
    if (isFull()) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  return overrideMethods(files, {
    async createStaged(name) {
      refuseIfFull();
      return files.createStaged(name);
    },
    async makeFolder(path) {
      refuseIfFull();
      return files.makeFolder(path);
    },
  });
}

const registryAway = ({ image }: Workload) =>
  new StartRefused(`the registry of the image ${image} cannot be reached`, "registry_away");
