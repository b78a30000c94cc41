// Looks every ten seconds at what this machine's workloads use, and stops Pods that have used up
// their disk where no engine holds them to it.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import { whatIsFull } from "../domain/pod/full.ts";
import type { Pod } from "../domain/pod/pod.ts";
import { type Counters, type GpuUse, sampleOf } from "../domain/usage/sample.ts";
import { type Driver, DriverAway, type Usage } from "../drivers/driver.ts";
import type { UsageBook } from "../flows/usage/book.ts";
import { noteVolumeUses, type VolumeUse } from "../store/network-volume/use.ts";
import { lockPod, podsOn } from "../store/pod/row.ts";
import { movePod } from "../store/pod/wanted.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { EVERYBODY, topic } from "../store/wakes.ts";
import type { Loop } from "./loop.ts";
import type { OwnMachine } from "./pod-workload.ts";

export interface MeasureDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  machine: Pick<OwnMachine, "id" | "inventory">;
  drivers: Driver[];
  book: UsageBook;
  periodMs: number;
  /** What the machine's GPUs are doing. */
  gpuUse: () => Promise<GpuUse[]>;
}

export function measureLoop(deps: MeasureDeps): Loop {
  let before = new Map<string, Counters>();
  let noted = new Map<string, number>();
  return {
    name: "measure",
    shared: false,
    periodMs: deps.periodMs,
    restMs: deps.periodMs,
    topics: [],
    async turn() {
      const usages = (await Promise.all(deps.drivers.map(usageBy))).flat();
      const gpus = await deps.gpuUse();
      const pods = new Map((await deps.store.read(podsOn, deps.machine.id)).map((p) => [p.id, p]));
      for (const usage of usages) {
        const pod = pods.get(usage.id);
        note(deps, usage, pod, before.get(usage.id) ?? null, gpus);
        if (pod) await judge(deps, pod, usage);
      }
      const volumes = volumesIn(usages);
      const news = volumes.filter(({ id, usedBytes }) => noted.get(id) !== usedBytes);
      if (news.length > 0) await deps.store.write(noteVolumeUses, news);
      noted = new Map(volumes.map(({ id, usedBytes }) => [id, usedBytes]));
      before = new Map(usages.map((usage) => [usage.id, usage]));
      deps.book.tidy(deps.clock.now());
      if (usages.length > 0)
        deps.store.wakes.ringEverywhere(topic.changed(EVERYBODY, "metrics", ""));
      return null;
    },
  };
}

/** Each network volume once, however many mount it. */
function volumesIn(usages: readonly Usage[]): VolumeUse[] {
  const network = usages.flatMap(({ volumes }) => volumes.filter(({ kind }) => kind === "network"));
  return [...new Map(network.map(({ name, bytes }) => [name, bytes]))].map(([id, usedBytes]) => {
    return { id, usedBytes };
  });
}

/** A driver that is away has nothing to say; it keeps nobody from looking at the others. */
async function usageBy(driver: Driver): Promise<(Usage & { enforced: boolean })[]> {
  try {
    const usages = await driver.usage();
    const enforced = usages.length > 0 && (await driver.quota()) === "enforced";
    return usages.map((usage) => ({ ...usage, enforced }));
  } catch (error) {
    if (error instanceof DriverAway) return [];
    throw error;
  }
}

function note(
  { book, machine }: MeasureDeps,
  usage: Usage,
  pod: Pod | undefined,
  before: Counters | null,
  gpus: GpuUse[],
): void {
  const own = pod && !pod.virtual ? gpus.filter(({ index }) => pod.gpus.includes(index)) : [];
  const { volumes, diskBytes } = usage;
  const volumeBytes =
    volumes.length > 0 ? volumes.reduce((sum, { bytes }) => sum + bytes, 0) : null;
  const { vcpus } = machine.inventory;
  const share = Math.min(pod?.vcpus ?? vcpus, vcpus);
  book.note(usage.id, sampleOf(usage, before, share, { diskBytes, volumeBytes, gpus: own }));
}

async function judge(
  { store, clock, log }: MeasureDeps,
  pod: Pod,
  { diskBytes, volumes, enforced }: Usage & { enforced: boolean },
): Promise<void> {
  if (pod.state !== "RUNNING" || pod.startedRound !== pod.round) return;
  const volumeBytes = volumes.find(({ kind }) => kind === "pod")?.bytes ?? null;
  const full = whatIsFull(pod.spec, { diskBytes, volumeBytes }, enforced);
  if (full === null) return;
  log.warn({ pod: pod.id }, "a Pod is stopped: %s", full);
  await store.write(stopFull, pod, full, clock.now());
}

/** Unless it was stopped, or wanted anew, meanwhile. */
function* stopFull(seen: Pod, reason: string, at: number): Verb<void> {
  const pod = yield* lockPod(seen.id);
  if (pod?.round !== seen.round) return;
  yield* movePod(pod, { event: "giveUp", cause: "disk_full", reason, at });
}
