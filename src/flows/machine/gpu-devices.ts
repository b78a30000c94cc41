// The real GPUs of a machine one by one, with what runs on each. Pure.

import { type GpuCordons, type GpuFault, isRecorded } from "../../domain/gpu/gpu-health.ts";
import type { GpuTest } from "../../domain/gpu/gpu-test.ts";
import type { GpuHealth, Quarantine } from "../../domain/gpu/health-record.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";

export interface GpuDevice {
  number: number;
  uuid: string;
  /** Null for a GPU that the machine has no longer. */
  gpuTypeId: string | null;
  /** The first that holds. */
  state: "lost" | "quarantined" | "unhealthy" | "cordoned" | "in_test" | "in_use" | "free";
  /** Why it is cordoned; null if it is not. */
  cordonReason: string | null;
  /** What its driver reports. */
  fault: GpuFault | null;
  quarantine: Quarantine | null;
  /** Its last test; null if it was not tested. */
  test: GpuTest | null;
  /** The ids of the Pods and workers that hold it. */
  workloads: string[];
}

interface Holder {
  gpu: number;
  holder: string;
}

/** Empty for a machine whose GPUs have no UUIDs. A GPU that is gone is listed while something holds it or keeps it out. */
export function gpuDevices(
  { gpus, gpuNumbers = {}, gpuFaults = [] }: Inventory,
  cordons: GpuCordons,
  { quarantines = {}, tests = {} }: GpuHealth,
  holders: readonly Holder[],
): GpuDevice[] {
  const real = gpus.filter(({ virtual }) => !virtual);
  return Object.entries(gpuNumbers)
    .map(([uuid, number]) => {
      const group = real.find(({ indices }) => indices.includes(number));
      const faults = gpuFaults.filter(({ index }) => index === number);
      const device = {
        ...{ number, uuid, gpuTypeId: group?.gpuTypeId ?? null },
        cordonReason: cordons[uuid] ?? null,
        fault: faults.find((fault) => !isRecorded(fault)) ?? null,
        quarantine: quarantines[uuid] ?? null,
        test: tests[uuid] ?? null,
        workloads: holders.filter(({ gpu }) => gpu === number).map(({ holder }) => holder),
      };
      return { ...device, state: stateOf(device) };
    })
    .filter(
      ({ state, cordonReason, quarantine, workloads }) =>
        state !== "lost" || cordonReason !== null || quarantine !== null || workloads.length > 0,
    )
    .toSorted((a, b) => a.number - b.number);
}

function stateOf(device: Omit<GpuDevice, "state">): GpuDevice["state"] {
  if (device.gpuTypeId === null) return "lost";
  if (device.quarantine) return "quarantined";
  if (device.fault) return "unhealthy";
  if (device.cordonReason !== null) return "cordoned";
  if (device.test?.result === null) return "in_test";
  return device.workloads.length > 0 ? "in_use" : "free";
}
