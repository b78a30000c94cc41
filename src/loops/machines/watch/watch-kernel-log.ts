// Records what the GPU driver of a machine says in its kernel log, as soon as it does.

import type { Clock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import {
  type Follow,
  followKernelLog,
  type KernelLog,
} from "../../../drivers/machine/kernel-log.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { recordGpuErrors } from "../../../transactions/machine/gpus/record-gpu-errors.ts";
import { recordKernelLog } from "../../../transactions/machine/gpus/record-kernel-log.ts";
import type { Loop } from "../../engine/loop.ts";

/** A log that ended, or that could not be read, is opened again after so long. */
const PERIOD_MS = 30_000;
const REST_MS = 200;

interface Deps {
  store: Store;
  clock: Clock;
  log: Logger;
  machine: string;
  /** What the machine offers, which other loops read. */
  inventory: Inventory;
  limits: GpuLimits;
  follow: Follow;
  /** The kernel log's path. */
  file: string;
}

/** GPUs that were declared have no UUIDs, by which errors are recorded. */
const hasLoggingGpu = ({ gpuNumbers = {} }: Inventory) => Object.keys(gpuNumbers).length > 0;

/** Does nothing on a machine without GPUs that have UUIDs. */
export function watchKernelLogLoop(deps: Deps): Loop {
  const { store, clock, log, machine, inventory, limits, follow, file } = deps;
  let kernelLog: KernelLog | null = null;
  let isBegun = false;
  let openedTicks = Number.NEGATIVE_INFINITY;

  const open = () => {
    if (clock.ticks() < openedTicks + PERIOD_MS) return;
    openedTicks = clock.ticks();
    kernelLog = followKernelLog(
      follow,
      file,
      () => clock.now(),
      () => store.notifier.notify(topic.kernelLog(machine)),
    );
  };

  return {
    name: "watch-kernel-log",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: REST_MS,
    topics: [topic.kernelLog(machine)],
    async run() {
      if (!hasLoggingGpu(inventory)) return null;
      if (!kernelLog) open();
      if (!kernelLog) return null;
      await record(kernelLog);
      if (!kernelLog.isOpen()) {
        await recordTrouble(kernelLog.trouble());
        kernelLog = null;
      }
      return null;
    },
    async finish() {
      kernelLog?.close();
    },
  };

  async function record(current: KernelLog): Promise<void> {
    const reading = current.read();
    if (reading === null) return;
    if (reading.hasRecords) await recordTrouble(null);
    if (isBegun && reading.lines.length === 0) return;
    const quarantined = await store.write(recordGpuErrors, machine, reading, {
      now: clock.now(),
      limits,
    });
    isBegun = true;
    current.drop(reading.lines.length);
    for (const [uuid, { reason, recommendation }] of quarantined) {
      log.error({ machine, gpu: uuid, reason, recommendation }, "a GPU is in quarantine");
    }
  }

  async function recordTrouble(trouble: string | null): Promise<void> {
    if (trouble === (inventory.kernelLogTrouble ?? null)) return;
    if (trouble !== null) log.warn({ machine, trouble }, "the kernel log cannot be read");
    await store.write(recordKernelLog, machine, trouble);
    if (trouble === null) delete inventory.kernelLogTrouble;
    else inventory.kernelLogTrouble = trouble;
  }
}
