// Measures what this machine and its workloads use, every ten seconds. It stops Pods that have filled a disk whose limit
// no engine enforces, and those that are idle and are not to be, and adds up the GPU-hours that they held.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { isShareNumber, wholeNumber } from "../../domain/gpu-share/gpu-share.ts";
import {
  type GpuLoad,
  type HostCounters,
  type MachineLoad,
  machineLoad,
} from "../../domain/machine/load/load.ts";
import { whatIsFull } from "../../domain/pod/disk-full.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { type Counters, type GpuUse, sampleOf } from "../../domain/usage/sample.ts";
import { type Driver, DriverUnavailable, type Usage } from "../../drivers/driver.ts";
import type { Traffic } from "../../flows/replica/traffic.ts";
import type { UsageHistory } from "../../flows/replica/usage-history.ts";
import { ALL_ACCOUNTS, topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import type { VolumeUse } from "../../store/network-volume/use.ts";
import { lockPod, podsOn } from "../../store/pod/row.ts";
import { recordVolumeUse } from "../../transactions/network-volume/record-use.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";
import { GpuTimes } from "./gpu-times.ts";
import { IdlePods } from "./idle-pods.ts";
import { LifetimeLines } from "./lifetime-lines.ts";
import { LoadIntervals } from "./load-intervals.ts";
import { measurementOf } from "./measurement.ts";
import type { OwnMachine } from "./pod-workload.ts";

export interface MeasureDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  machine: Pick<OwnMachine, "id" | "inventory">;
  drivers: Driver[];
  book: UsageHistory;
  load: UsageHistory<MachineLoad>;
  traffic: Traffic;
  periodMs: number;
  gpuUse: () => Promise<GpuLoad[]>;
  hostLoad: () => Promise<HostCounters | null>;
}

export function measureLoop(deps: MeasureDeps): Loop {
  const { clock, machine } = deps;
  let before = new Map<string, Counters>();
  let hostBefore: HostCounters | null = null;
  let recorded = new Map<string, number>();
  const idlePods = new IdlePods(deps);
  const lifetimeLines = new LifetimeLines(deps);
  const gpuTimes = new GpuTimes(deps);
  const loadIntervals = new LoadIntervals(deps);
  return {
    name: "measure",
    shared: false,
    periodMs: deps.periodMs,
    restMs: deps.periodMs,
    topics: [],
    async run() {
      const usages = (await Promise.all(deps.drivers.map(usageBy))).flat();
      const [gpus, host] = await Promise.all([deps.gpuUse(), deps.hostLoad()]);
      const load = machineLoad(clock.now(), host, hostBefore, gpus);
      deps.load.note(machine.id, load);
      hostBefore = host;
      const pods = await podsHere(deps).catch((error) => {
        // What was not looked at meanwhile does not count as idle.
        idlePods.clear();
        gpuTimes.clear();
        throw error;
      });
      const each = new Each();
      for (const usage of usages) {
        const pod = pods.get(usage.id);
        const parts = partsOf(usage, pod, gpus);
        const sample = sampleOf(usage, before.get(usage.id) ?? null, cpusOf(deps, pod), parts);
        deps.book.note(usage.id, sample);
        if (pod) await each.try(() => stopIfFull(deps, pod, usage));
        if (!pod) continue;
        const measurement = measurementOf(deps, pod, sample, cpusOf(deps, pod));
        gpuTimes.observe(pod, measurement);
        lifetimeLines.observe(pod, clock.now());
        await each.try(() => idlePods.observe(pod, measurement));
      }
      const ids = new Set(usages.map(({ id }) => id));
      idlePods.keep(ids);
      lifetimeLines.keep(ids);
      await gpuTimes.settle(ids);
      const volumes = volumesIn(usages);
      const changed = volumes.filter(({ id, usedBytes }) => recorded.get(id) !== usedBytes);
      if (changed.length > 0) await deps.store.write(recordVolumeUse, changed);
      recorded = new Map(volumes.map(({ id, usedBytes }) => [id, usedBytes]));
      before = new Map(usages.map((usage) => [usage.id, usage]));
      deps.book.tidy(deps.clock.now());
      await loadIntervals.observe(load);
      if (usages.length > 0) {
        deps.store.notifier.notifyEverywhere(topic.changed(ALL_ACCOUNTS, "metrics", ""));
      }
      return each.end(null);
    },
  };
}

async function podsHere({ store, machine }: MeasureDeps): Promise<Map<string, Pod>> {
  return new Map((await store.read(podsOn, machine.id)).map((pod) => [pod.id, pod]));
}

/** Each network volume once, however many mount it. */
function volumesIn(usages: readonly Usage[]): VolumeUse[] {
  const network = usages.flatMap(({ volumes }) => volumes.filter(({ kind }) => kind === "network"));
  return [...new Map(network.map(({ name, bytes }) => [name, bytes]))].map(([id, usedBytes]) => {
    return { id, usedBytes };
  });
}

/** A driver that is unavailable does not keep the others from being measured. */
async function usageBy(driver: Driver): Promise<(Usage & { enforced: boolean })[]> {
  try {
    const usages = await driver.usage();
    const enforced = usages.length > 0 && (await driver.quota()) === "enforced";
    return usages.map((usage) => ({ ...usage, enforced }));
  } catch (error) {
    if (error instanceof DriverUnavailable) return [];
    throw error;
  }
}

/** What a sample has besides the counters. */
function partsOf(
  usage: Usage,
  pod: Pod | undefined,
  gpus: GpuLoad[],
): Parameters<typeof sampleOf>[3] {
  const placement = pod?.placement;
  const own =
    placement && !placement.virtual ? placement.gpus.flatMap((number) => useOf(number, gpus)) : [];
  const { volumes, diskBytes } = usage;
  const volumeBytes =
    volumes.length > 0 ? volumes.reduce((sum, { bytes }) => sum + bytes, 0) : null;
  const clockOf = (number: number) => own.find(({ index }) => index === number)?.clockMhz ?? null;
  const reported = (usage.gpus ?? []).map((use) => ({ ...use, clockMhz: clockOf(use.index) }));
  return { diskBytes, volumeBytes, gpus: reported.length > 0 ? reported : own };
}

/** A share has the load of its GPU: the driver does not say whose it is. */
function useOf(number: number, gpus: readonly GpuLoad[]): GpuUse[] {
  const load = gpus.find(({ index }) => index === wholeNumber(number));
  if (!load) return [];
  const { index, gpuUtilPercent, memoryUtilPercent, clockMhz } = load;
  const shared = isShareNumber(number) ? { shared: true as const } : {};
  return [{ index, gpuUtilPercent, memoryUtilPercent, clockMhz, ...shared }];
}

/** The CPUs that a workload may use at once. */
function cpusOf({ machine }: MeasureDeps, pod: Pod | undefined): number {
  const { vcpus } = machine.inventory;
  return Math.min(pod?.placement.vcpus ?? vcpus, vcpus);
}

async function stopIfFull(
  { store, clock, log }: MeasureDeps,
  pod: Pod,
  { diskBytes, volumes, enforced }: Usage & { enforced: boolean },
): Promise<void> {
  const { desired, observed } = pod;
  if (desired.state !== "RUNNING" || observed.startedGeneration !== desired.generation) return;
  const volumeBytes = volumes.find(({ kind }) => kind === "pod")?.bytes ?? null;
  const full = whatIsFull(desired.spec, { diskBytes, volumeBytes }, enforced);
  if (full === null) return;
  log.warn({ pod: pod.id }, `stopping a Pod: ${full}`);
  await store.write(stopFull, pod, full, clock.now());
}

/** Unless a new container is desired meanwhile. */
function* stopFull({ id, desired }: Pod, reason: string, at: number): Tx<void> {
  const pod = yield* lockPod(id);
  if (pod?.desired.generation !== desired.generation) return;
  yield* movePod(pod, { event: "giveUp", cause: "disk_full", reason, at });
}
