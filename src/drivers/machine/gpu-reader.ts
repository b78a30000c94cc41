// Reads a machine's GPUs again and again, and keeps the last good reading while the driver fails: workloads keep
// their GPUs, and no new ones get any.

import { systemClock } from "../../base/clock.ts";
import type { GpuFault } from "../../domain/gpu/gpu-health.ts";
import type { GpuNumbers } from "../../domain/machine/gpu-numbers.ts";
import { amdTool, type ReadAmdTool, withAmdGpus } from "./amd-gpus.ts";
import { type Gpus, NO_GPUS, probeGpus } from "./nvidia-smi.ts";
import type { Run } from "./run.ts";
import { ANSWER_MS, singleProbe } from "./single-probe.ts";

/** How long a driver that was in order may stay silent before its GPUs are given to no new workload. */
const GRACE_MS = 60_000;

export interface GpuReader {
  /** Rejects with DriverUnavailable if the machine is not reached. */
  read(): Promise<Gpus>;
  /** The numbers of the GPUs by their UUIDs. */
  numbers(): GpuNumbers;
}

interface Options {
  /** What the store has of an earlier reading, before a restart; null for nothing. */
  recall?: () => Promise<Gpus | null>;
  answerMs?: number;
  /** How long an answer of `amd-smi` is waited for, which is less than that of a whole reading. */
  toolMs?: number;
  graceMs?: number;
}

export function gpuReader(run: Run, options: Options = {}): GpuReader {
  const { recall, answerMs = ANSWER_MS, toolMs, graceMs = GRACE_MS } = options;
  const silence = `nvidia-smi does not answer within ${answerMs / 1_000} s`;
  let last: Gpus | null = null;
  let silentSince: number | null = null;
  let isRecalled = recall === undefined;
  const readTool = amdTool(run, toolMs);
  const probe = singleProbe(() => probeAll(run, last ?? NO_GPUS, readTool), null, answerMs);
  return {
    numbers: () => last?.gpuNumbers ?? {},
    async read() {
      if (!isRecalled) last = (await recall?.()) ?? null;
      const hasRead = isRecalled && last !== null;
      isRecalled = true;
      const startedAt = systemClock.ticks();
      const reading = await probe();
      const isSilent = reading === null || reading.isSilent === true;
      silentSince = isSilent ? (silentSince ?? startedAt) : null;
      if (silentSince !== null && hasRead && last && !isStaleReading(last)) {
        if (systemClock.ticks() - silentSince < graceMs) return { ...last, isSilent: true };
      }
      if (reading !== null && !isFailure(reading)) last = reading;
      else last = staleReading(last ?? NO_GPUS, isSilent ? silence : reading!.gpuTrouble!);
      return last;
    },
  };
}

async function probeAll(run: Run, before: Gpus, readTool: ReadAmdTool): Promise<Gpus> {
  const reading = await probeGpus(run, before);
  return reading.isSilent ? reading : withAmdGpus(run, before, reading, readTool);
}

/** A driver that answers that it has no GPUs has lost them; another one without GPUs could not be asked. */
const isFailure = ({ gpus, gpuTrouble, isSilent, isEmpty }: Gpus) =>
  isSilent === true || (gpus.length === 0 && gpuTrouble !== null && !isEmpty);

const isStaleReading = ({ gpuFaults }: Gpus) => gpuFaults.some(({ code }) => code === "stale");

function staleReading(last: Gpus, gpuTrouble: string): Gpus {
  const gpuFaults = last.gpus.map(({ index, uuid = "" }): GpuFault => {
    const reason = `it was not read again: ${gpuTrouble}`;
    return { index, uuid, code: "stale", reason, recommendation: "correct the driver" };
  });
  return { ...last, gpuTrouble, gpuFaults, readings: [] };
}
