// Stores what a machine did in each interval, so that its history is longer than what is in memory.

import type { MachineLoad } from "../../domain/machine/load/load.ts";
import {
  intervalStart,
  LOAD_INTERVAL_MS,
  summarizeLoad,
} from "../../domain/machine/load/load-history.ts";
import type { Store } from "../../store/engine/store.ts";
import { recordLoad } from "../../transactions/machine-load/record.ts";

interface LoadIntervalsDeps {
  store: Pick<Store, "write">;
  machine: { id: string };
}

export class LoadIntervals {
  readonly #deps: LoadIntervalsDeps;
  /** The samples of the current interval, in memory: a process that ends loses them. */
  #samples: MachineLoad[] = [];

  constructor(deps: LoadIntervalsDeps) {
    this.#deps = deps;
  }

  /** Writes the previous interval with the first sample of the next. */
  async observe(load: MachineLoad): Promise<void> {
    if (!isMeasured(load)) return;
    const first = this.#samples[0] ?? load;
    const start = intervalStart(first.at, LOAD_INTERVAL_MS);
    if (intervalStart(load.at, LOAD_INTERVAL_MS) !== start) {
      const { store, machine } = this.#deps;
      // A write that fails is made again with the next sample.
      await store.write(recordLoad, machine.id, summarizeLoad(start, this.#samples));
      this.#samples = [];
    }
    this.#samples.push(load);
  }
}

const isMeasured = ({ cpuPercent, memoryUsedBytes, gpus }: MachineLoad) =>
  cpuPercent !== null || memoryUsedBytes !== null || gpus.length > 0;
