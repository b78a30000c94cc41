// Reads a machine's GPUs again and again, and keeps the last good reading of each maker's while its driver fails: workloads
// keep their GPUs, and no new ones get any. A driver in trouble leaves the GPUs of other makers as they are.

import { systemClock } from "../../base/clock.ts";
import type { GpuFault } from "../../domain/gpu/gpu-health.ts";
import { isAmdUuid } from "../../domain/machine/gpu-nodes.ts";
import type { GpuNumbers } from "../../domain/machine/gpu-numbers.ts";
import { type AmdBounds, amdReader } from "./amd-gpus.ts";
import { GpuIdentities } from "./gpu-identities.ts";
import { type Gpus, type MakerGpus, NO_GPUS, probeGpus } from "./nvidia-smi.ts";
import { nvlinkReader } from "./nvlinks.ts";
import type { Run } from "./run.ts";
import { ANSWER_MS, singleProbe } from "./single-probe.ts";

/** How long a driver that was in order may stay silent before its GPUs are given to no new workload. */
const GRACE_MS = 60_000;

/** Rejects with DriverUnavailable if the machine is not reached. The NVLinks of the GPUs with these UUIDs count anew. */
export type ReadGpus = (forgottenLinks?: readonly string[]) => Promise<Gpus>;

export interface GpuReader {
  read: ReadGpus;
  /** The numbers of the GPUs by their UUIDs. */
  numbers(): GpuNumbers;
}

interface Options {
  /** What the store has of an earlier reading, before a restart; null for nothing. */
  recall?: () => Promise<Gpus | null>;
  answerMs?: number;
  amd?: AmdBounds;
  graceMs?: number;
}

export function gpuReader(run: Run, options: Options = {}): GpuReader {
  const { recall, answerMs = ANSWER_MS, amd: amdBounds, graceMs = GRACE_MS } = options;
  const gpuTrouble = `nvidia-smi does not answer within ${answerMs / 1_000} s`;
  const silent: MakerGpus = { ...NO_GPUS, gpuTrouble, isSilent: true };
  const identities = new GpuIdentities();
  const [nvidia, amd] = [new FreshGpus(graceMs), new FreshGpus(graceMs)];
  const withNvlinks = nvlinkReader(run, identities);
  const probe = async () => withNvlinks(await probeGpus(run, identities));
  const probeNvidia = singleProbe(probe, silent, answerMs);
  const probeAmd = amdReader(run, identities, amdBounds);
  let isRecalled = recall === undefined;
  const restore = (recalled: Gpus) => {
    identities.restore(recalled);
    const isAmd = ({ uuid = "" }: Gpus["gpus"][number]) => isAmdUuid(uuid);
    nvidia.recall({ ...recalled, gpus: recalled.gpus.filter((gpu) => !isAmd(gpu)) });
    amd.recall({ ...recalled, gpus: recalled.gpus.filter(isAmd), cudaVersion: null });
  };
  return {
    numbers: () => identities.all().gpuNumbers,
    async read(forgottenLinks = []) {
      const recalled = isRecalled ? null : await recall?.();
      isRecalled = true;
      if (recalled) restore(recalled);
      if (forgottenLinks.length > 0) identities.forgetLinks(forgottenLinks);
      const startedAt = systemClock.ticks();
      const answer = probeNvidia().then((reading) => (reading.isSilent ? silent : reading));
      // The numbers of NVIDIA's GPUs are those of their driver, which come first.
      const firstNumber = () => answer.then(({ gpus }) => gpus.length);
      const [nvidiaGpus, amdGpus] = await Promise.all([answer, probeAmd(amd.last, firstNumber)]);
      const gpus = together(nvidia.keep(nvidiaGpus, startedAt), amd.keep(amdGpus, startedAt));
      return { ...gpus, ...identities.all() };
    },
  };
}

function together(nvidia: MakerGpus, amd: MakerGpus): MakerGpus {
  const troubles = [nvidia.gpuTrouble, amd.gpuTrouble].filter((text) => text !== null);
  const { gpuDriver, cudaVersion } = nvidia;
  return {
    gpus: [...nvidia.gpus, ...amd.gpus],
    gpuDriver: nvidia.gpus.length > 0 || amd.gpus.length === 0 ? gpuDriver : amd.gpuDriver,
    cudaVersion,
    gpuTrouble: troubles.length > 0 ? troubles.join("; ") : null,
    gpuFaults: [...nvidia.gpuFaults, ...amd.gpuFaults],
    gpuNotices: [...nvidia.gpuNotices, ...amd.gpuNotices],
    gpuSlices: nvidia.gpuSlices,
    readings: [...nvidia.readings, ...amd.readings],
    ...((nvidia.isSilent || amd.isSilent) && { isSilent: true }),
  };
}

/** The last good reading of one maker's GPUs. */
class FreshGpus {
  readonly #graceMs: number;
  #last: MakerGpus | null = null;
  #hasRead = false;
  #silentSince: number | null = null;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get last(): MakerGpus {
    return this.#last ?? NO_GPUS;
  }

  recall(recorded: MakerGpus): void {
    this.#last = recorded;
  }

  /** Returns what stands after a reading that began at `startedAt`. */
  keep({ isSilent, ...reading }: MakerGpus, startedAt: number): MakerGpus {
    const mayWait = this.#hasRead && this.#last !== null && !isStaleReading(this.#last);
    this.#hasRead = true;
    this.#silentSince = isSilent ? (this.#silentSince ?? startedAt) : null;
    if (mayWait && this.#silentSince !== null) {
      const silentMs = systemClock.ticks() - this.#silentSince;
      if (silentMs < this.#graceMs) return { ...this.last, readings: [], isSilent: true };
    }
    this.#last = isFailure(reading) ? staleReading(this.last, reading.gpuTrouble!) : reading;
    return this.#last;
  }
}

/** A driver that answers that it has no GPUs has lost them; another one without GPUs could not be asked. */
const isFailure = ({ gpus, gpuTrouble, isEmpty }: MakerGpus) =>
  gpus.length === 0 && gpuTrouble !== null && !isEmpty;

const isStaleReading = ({ gpuFaults }: MakerGpus) => gpuFaults.some(({ code }) => code === "stale");

function staleReading(last: MakerGpus, gpuTrouble: string): MakerGpus {
  const gpuFaults = last.gpus.map(({ index, uuid = "" }): GpuFault => {
    const reason = `it was not read again: ${gpuTrouble}`;
    return { index, uuid, code: "stale", reason, recommendation: "correct the driver" };
  });
  return { ...last, gpuTrouble, gpuFaults, readings: [] };
}
