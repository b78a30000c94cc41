// The trouble `gpu-falls-off`: a GPU of this machine has fallen off the bus (Xid 79). The workload on it ends and
// cannot start again there, and the machine offers the GPU no longer.

import type { Clock } from "../../base/clock.ts";
import { wholeNumber } from "../../domain/gpu-share/gpu-share.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { type Driver, type Eviction, StartRefused } from "../../drivers/driver.ts";
import type { Troubles } from "../../flows/trouble/troubles.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { loseGpu, recordGpuReading } from "../../transactions/machine/gpus/record-gpus.ts";
import { startedWithGpus } from "../../transactions/place/started-gpus.ts";

/** The GPUs that have fallen off, by the workload that had each. */
export class FallenGpus {
  readonly #sentences = new Map<string, string>();

  add(workload: string, sentence: string): void {
    this.#sentences.set(workload, sentence);
  }

  clear(): void {
    this.#sentences.clear();
  }

  requireNotFallen(workload: string): void {
    const sentence = this.#sentences.get(workload);
    if (sentence !== undefined) throw new StartRefused(sentence, "no_room");
  }

  evictionOf(workload: string): Eviction | null {
    const sentence = this.#sentences.get(workload);
    return sentence === undefined ? null : { cause: "evicted", sentence };
  }
}

interface Deps {
  store: Store;
  clock: Clock;
  troubles: Troubles;
  drivers: Driver[];
  machine: string;
  inventory: Inventory;
  fallen: FallenGpus;
}

export function fallOffLoop(deps: Deps): Loop {
  const { store, troubles, drivers, machine, inventory, fallen } = deps;
  const whole = inventory.gpus;
  const lost = new Set<number>();
  /** The workloads that were drawn since the fault was switched on at `since`. */
  let drawn = { since: 0, ids: new Set<string>() };

  return {
    name: "fault-gpus",
    shared: false,
    periodMs: 1_000,
    restMs: 50,
    topics: [topic.troubles, topic.workloads],
    async run() {
      const { active } = troubles.stateOf("gpu-falls-off");
      if (active === null) {
        if (lost.size > 0) await bringBack();
        return null;
      }
      if (active.since !== drawn.since) drawn = { since: active.since, ids: new Set() };
      for (const { id, gpus } of await runningWithGpus()) {
        if (drawn.ids.has(id)) continue;
        drawn.ids.add(id);
        if (troubles.strikes("gpu-falls-off", id)) await fallOff(id, wholeNumber(gpus[0]!));
      }
      return active.until;
    },
  };

  async function runningWithGpus() {
    const all = (await Promise.all(drivers.map((driver) => driver.list()))).flat();
    const running = new Set(all.filter(({ state }) => state === "running").map(({ id }) => id));
    return store.read(startedWithGpus, machine, running);
  }

  async function fallOff(id: string, gpu: number): Promise<void> {
    const sentence = `its GPU ${gpu} has fallen off the bus (Xid 79)`;
    lost.add(gpu);
    fallen.add(id, sentence);
    inventory.gpus = whole.map((group) => ({
      ...group,
      indices: group.indices.filter((index) => !lost.has(index)),
    }));
    await store.write(loseGpu, machine, inventory.gpus, { id, sentence, at: deps.clock.now() });
    await Promise.all(drivers.map((driver) => driver.stop(id, 0)));
  }

  async function bringBack(): Promise<void> {
    inventory.gpus = whole;
    await store.write(recordGpuReading, machine, { gpus: whole });
    lost.clear();
    fallen.clear();
  }
}
