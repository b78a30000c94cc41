// The real GPUs of a machine one by one, with what runs on each. Pure.

import { parsePartType } from "../../domain/catalog/slice-name.ts";
import { type GpuCordons, type GpuFault, isRecorded } from "../../domain/gpu/gpu-health.ts";
import { type GpuSlice, isSplit } from "../../domain/gpu/gpu-slices.ts";
import type { GpuTest } from "../../domain/gpu/gpu-test.ts";
import {
  type GpuHealth,
  type Quarantine,
  type RecentErrors,
  recentErrors,
} from "../../domain/gpu/health-record.ts";
import { documentedProfiles, type ProfileCount } from "../../domain/gpu/mig/documented-profiles.ts";
import { listedProfiles } from "../../domain/gpu/mig/listed-profiles.ts";
import type { MigChange } from "../../domain/gpu/mig/mig-layout.ts";
import { changeWaitText, testWaitText } from "../../domain/gpu/mig/pending-requests.ts";
import { type ShareLayout, shareNumbers } from "../../domain/gpu-share/gpu-share.ts";
import { shareTypeId } from "../../domain/gpu-share/share-name.ts";
import { wholeGpuOf } from "../../domain/gpu-share/with-shares.ts";
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
    | "changing"
    | "split"
    | "shared"
    | "in_use"
    | "free";
  /** Why it is cordoned; null if it is not. */
  cordonReason: string | null;
  /** What its driver reports; for a MIG device also what keeps its GPU out of placement. */
  fault: GpuFault | null;
  quarantine: Quarantine | null;
  /** Its last test; null if it was not tested. `waitText` is null once it has ended. */
  test: (GpuTest & { waitText: string | null }) | null;
  /** The last change of its MIG layout; null if none was requested. `waitText` is null once it has ended and was read. */
  migChange: (MigChange & { waitText: string | null }) | null;
  /** The MIG profiles that it can be divided into; null for a GPU of which none are known. */
  migProfiles: { source: "driver" | "documentation"; profiles: ProfileCount[] } | null;
  /** What it is a part of; null for a whole GPU. */
  slice: GpuSlice | null;
  /** The shares that it is offered as; null for another GPU. */
  shares: (ShareLayout & { gpuTypeId: string; held: number }) | null;
  /** The ids of the Pods and workers that hold it, or shares of it. */
  workloads: string[];
  /** Its errors within a day. */
  errors: Omit<RecentErrors, "uuid">[];
}

interface Holder {
  gpu: number;
  holder: string;
}

/** Empty for a machine whose GPUs have no UUIDs. A GPU that is gone is listed while something holds it or keeps it out. */
export function gpuDevices(
  inventory: Inventory,
  cordons: GpuCordons,
  health: GpuHealth,
  { holders, isOnline, now }: { holders: readonly Holder[]; isOnline: boolean; now: number },
): GpuDevice[] {
  const recent = recentErrors(health, now);
  const { quarantines = {}, tests = {}, migChanges = {} } = health;
  const { gpuNumbers = {}, gpuFaults = [], gpuSlices = {}, gpuShares = {} } = inventory;
  return Object.entries(gpuNumbers)
    .map(([uuid, number]) => {
      const slice = gpuSlices[uuid] ?? null;
      const reported = gpuFaults.find((fault) => fault.uuid === uuid && !isRecorded(fault));
      const gpuTypeId = typeOf(inventory, uuid);
      const layout = gpuShares[uuid];
      const numbers = layout ? shareNumbers(number, layout) : [number];
      const own = holders.filter(({ gpu }) => numbers.includes(gpu));
      const device = {
        number,
        uuid,
        slice,
        gpuTypeId,
        cordonReason: cordons[uuid] ?? null,
        fault: reported ?? gpuFaults.find((fault) => fault.uuid === slice?.gpu) ?? null,
        quarantine: quarantines[uuid] ?? null,
        test: withTestWait(tests[uuid], isOnline),
        migProfiles: slice ? null : profilesOf(inventory, uuid, { gpuTypeId, health }),
        migChange: withChangeWait(uuid, migChanges[uuid], { health, isOnline }),
        shares:
          layout && gpuTypeId !== null && !isSplit(inventory, uuid)
            ? { ...layout, gpuTypeId: shareTypeId(gpuTypeId, layout), held: own.length }
            : null,
        workloads: [...new Set(own.map(({ holder }) => holder))],
        errors: recent.flatMap(({ uuid: of, ...each }) => (of === uuid ? [each] : [])),
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

/** What the driver said when the GPU was in MIG mode, else what NVIDIA documents. */
function profilesOf(
  inventory: Inventory,
  uuid: string,
  { gpuTypeId, health }: { gpuTypeId: string | null; health: GpuHealth },
): GpuDevice["migProfiles"] {
  const listed = listedProfiles(health, uuid, inventory.gpuDriver);
  if (listed.length > 0) {
    const profiles = listed.map(({ name, total }) => ({ name, count: total }));
    return { source: "driver", profiles };
  }
  const { group } = wholeGpuOf(inventory, uuid) ?? {};
  const profiles = documentedProfiles(gpuTypeId ?? "", group?.memoryMb ?? 0);
  return profiles.length > 0 ? { source: "documentation", profiles } : null;
}

function withTestWait(test: GpuTest | undefined, isOnline: boolean): GpuDevice["test"] {
  return test ? { ...test, waitText: test.result === null ? testWaitText(isOnline) : null } : null;
}

function withChangeWait(
  uuid: string,
  change: MigChange | undefined,
  at: { health: GpuHealth; isOnline: boolean },
): GpuDevice["migChange"] {
  if (!change) return null;
  return { ...change, waitText: change.isRead ? null : changeWaitText(uuid, change, at) };
}

/** Null for a GPU that the machine does not have now. */
function typeOf(inventory: Inventory, uuid: string): string | null {
  const { gpus, gpuNumbers = {}, gpuSlices = {}, gpuShares = {} } = inventory;
  const typeAt = (number: number | undefined) =>
    gpus.find(({ virtual, indices }) => !virtual && indices.includes(number ?? -1))?.gpuTypeId;
  const part = Object.keys(gpuSlices).find((each) => gpuSlices[each]!.gpu === uuid);
  const layout = gpuShares[uuid];
  const [share] = layout ? shareNumbers(gpuNumbers[uuid]!, layout) : [];
  if (part === undefined && share === undefined) return typeAt(gpuNumbers[uuid]) ?? null;
  const partType = typeAt(share) ?? (part === undefined ? undefined : typeAt(gpuNumbers[part]));
  return parsePartType(partType ?? "")?.whole ?? null;
}

function stateOf(device: Omit<GpuDevice, "state">, isWholeOfSlices: boolean): GpuDevice["state"] {
  if (device.gpuTypeId === null) return "lost";
  if (device.quarantine) return "quarantined";
  if (device.fault) return "unhealthy";
  if (device.cordonReason !== null) return "cordoned";
  if (device.test?.result === null) return "in_test";
  if (device.migChange?.isRead === false) return "changing";
  if (isWholeOfSlices) return "split";
  if (device.shares) return "shared";
  return device.workloads.length > 0 ? "in_use" : "free";
}
