// The real GPUs of a machine one by one, with what runs on each. Pure.

import { parseSliceType } from "../../domain/catalog/slice-name.ts";
import { type GpuCordons, type GpuFault, isRecorded } from "../../domain/gpu/gpu-health.ts";
import { type GpuSlice, isSplit } from "../../domain/gpu/gpu-slices.ts";
import type { GpuTest } from "../../domain/gpu/gpu-test.ts";
import type { GpuHealth, Quarantine } from "../../domain/gpu/health-record.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";

export interface GpuDevice {
  number: number;
  uuid: string;
  /** Null for a GPU that the machine has no longer. */
  gpuTypeId: string | null;
  /** The first that holds. */
  state:
    | "lost"
    | "quarantined"
    | "unhealthy"
    | "cordoned"
    | "in_test"
    | "split"
    | "in_use"
    | "free";
  /** Why it is cordoned; null if it is not. */
  cordonReason: string | null;
  /** What its driver reports; for a MIG device also what keeps its GPU out of placement. */
  fault: GpuFault | null;
  quarantine: Quarantine | null;
  /** Its last test; null if it was not tested. */
  test: GpuTest | null;
  /** What it is a part of; null for a whole GPU. */
  slice: GpuSlice | null;
  /** The ids of the Pods and workers that hold it. */
  workloads: string[];
}

interface Holder {
  gpu: number;
  holder: string;
}

/** Empty for a machine whose GPUs have no UUIDs. A GPU that is gone is listed while something holds it or keeps it out. */
export function gpuDevices(
  inventory: Inventory,
  cordons: GpuCordons,
  { quarantines = {}, tests = {} }: GpuHealth,
  holders: readonly Holder[],
): GpuDevice[] {
  const { gpuNumbers = {}, gpuFaults = [], gpuSlices = {} } = inventory;
  return Object.entries(gpuNumbers)
    .map(([uuid, number]) => {
      const slice = gpuSlices[uuid] ?? null;
      const own = gpuFaults.find((fault) => fault.uuid === uuid && !isRecorded(fault));
      const device = {
        ...{ number, uuid, slice, gpuTypeId: typeOf(inventory, uuid) },
        cordonReason: cordons[uuid] ?? null,
        fault: own ?? gpuFaults.find((fault) => fault.uuid === slice?.gpu) ?? null,
        quarantine: quarantines[uuid] ?? null,
        test: tests[uuid] ?? null,
        workloads: holders.filter(({ gpu }) => gpu === number).map(({ holder }) => holder),
      };
      return { ...device, state: stateOf(device, isSplit(inventory, uuid)) };
    })
    .filter(
      ({ state, cordonReason, quarantine, workloads }) =>
        state !== "lost" || cordonReason !== null || quarantine !== null || workloads.length > 0,
    )
    .toSorted((a, b) => wholeOf(a) - wholeOf(b) || a.number - b.number);

  /** MIG devices come after their GPU. */
  function wholeOf({ number, slice }: GpuDevice): number {
    return slice ? (gpuNumbers[slice.gpu] ?? number) : number;
  }
}

/** Null for a GPU that the machine does not have now. */
function typeOf({ gpus, gpuNumbers = {}, gpuSlices = {} }: Inventory, uuid: string): string | null {
  const typeAt = (number: number | undefined) =>
    gpus.find(({ virtual, indices }) => !virtual && indices.includes(number ?? -1))?.gpuTypeId;
  const part = Object.keys(gpuSlices).find((each) => gpuSlices[each]!.gpu === uuid);
  if (part === undefined) return typeAt(gpuNumbers[uuid]) ?? null;
  return parseSliceType(typeAt(gpuNumbers[part]) ?? "")?.whole ?? null;
}

function stateOf(device: Omit<GpuDevice, "state">, isWholeOfSlices: boolean): GpuDevice["state"] {
  if (device.gpuTypeId === null) return "lost";
  if (device.quarantine) return "quarantined";
  if (device.fault) return "unhealthy";
  if (device.cordonReason !== null) return "cordoned";
  if (device.test?.result === null) return "in_test";
  if (isWholeOfSlices) return "split";
  return device.workloads.length > 0 ? "in_use" : "free";
}
