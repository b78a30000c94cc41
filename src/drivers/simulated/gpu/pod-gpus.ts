// The GPUs that a simulated Pod sees: those of the scenario that it holds, or simulated ones of a type. Pure.

import { MB_PER_GB } from "../../../base/units.ts";
import type { Usage, Workload } from "../../driver.ts";
import {
  gpuUuid,
  NO_GPUS,
  pciOf,
  type SimulatedGpu,
  type SimulatedGpus,
} from "./simulated-gpus.ts";

/** `machine` has the GPUs of the scenario; null without one. */
export function podGpus(
  { id, resources }: Workload,
  usage: Usage | null,
  machine: SimulatedGpus | null,
  gpuMemoryGb: (gpuTypeId: string) => number | null,
): SimulatedGpus {
  const { gpuTypeId, indices } = resources?.simulatedGpus ?? { indices: [] };
  const uuids = resources?.gpuUuids ?? [];
  if (machine && uuids.length > 0) {
    const held = machine.gpus.flatMap((gpu) => {
      const slices = gpu.slices.filter(({ uuid }) => uuids.includes(uuid));
      if (slices.length > 0) return [{ ...gpu, slices }];
      return uuids.includes(gpu.uuid) ? [gpu] : [];
    });
    return { ...machine, gpus: held.map((gpu, index) => ({ ...gpu, index })) };
  }
  const gpus = indices.map((_, index): SimulatedGpu => {
    const memoryMb = (gpuMemoryGb(gpuTypeId!) ?? 0) * MB_PER_GB;
    const use = usage?.gpus?.[index];
    return {
      name: gpuTypeId!,
      index,
      place: index,
      memoryMb,
      pci: pciOf(index),
      state: "ok",
      uuid: gpuUuid(`${id}/${index}`),
      usedMb: Math.round((memoryMb * (use?.memoryUtilPercent ?? 0)) / 100),
      utilPercent: Math.round(use?.gpuUtilPercent ?? 0),
      values: {},
      slices: [],
      nvlinks: [],
      test: "pass",
      mig: "off",
      process: null,
    };
  });
  return { ...NO_GPUS, gpus };
}
