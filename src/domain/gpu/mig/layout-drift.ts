// GPUs that have other MIG devices than those that were set: a restart of the machine ends them, and a person may change them by
// hand. Pure.

import type { MigChanges } from "./mig-layout.ts";
import { isSameLayout, summaryOf } from "./mig-profiles.ts";

export interface MigDrift {
  uuid: string;
  /** The profiles that were set. */
  profiles: readonly string[];
  /** Those that it has; none after a restart of its machine. */
  found: readonly string[];
}

interface Read {
  gpus: readonly { virtual: boolean; indices: readonly number[] }[];
  gpuNumbers?: Readonly<Record<string, number>>;
  gpuSlices?: Readonly<Record<string, { gpu: string; profile: string }>>;
}

/** A GPU that cannot be read, or whose layout is being changed, is none. */
export function driftedGpus(
  machine: Read,
  { migLayouts = {}, migChanges = {} }: MigChanges,
): MigDrift[] {
  return Object.entries(migLayouts).flatMap(([uuid, profiles]) => {
    if (migChanges[uuid]?.isRead === false) return [];
    const found = profilesOn(machine, uuid);
    if (found.length === 0 && !isWhole(machine, uuid)) return [];
    return hasLayout(found, profiles) ? [] : [{ uuid, profiles, found }];
  });
}

/** The GPUs that have the layout that was set again, though the operator had an event that it is not put back. */
export const restoredGpus = (
  machine: Read,
  { migLayouts = {}, migChanges = {}, restoreObstacles = {} }: MigChanges,
): MigDrift[] =>
  Object.keys(restoreObstacles).flatMap((uuid) => {
    const [profiles, found] = [migLayouts[uuid], profilesOn(machine, uuid)];
    if (!profiles || migChanges[uuid]?.isRead === false) return [];
    return hasLayout(found, profiles) ? [{ uuid, profiles, found }] : [];
  });

const hasLayout = (found: readonly string[], profiles: readonly string[]) =>
  isSameLayout(found.map(plain), profiles.map(plain));

/** The profiles of the MIG devices that a GPU had when it was read last. */
export const profilesOn = ({ gpuSlices = {} }: Pick<Read, "gpuSlices">, uuid: string): string[] =>
  Object.values(gpuSlices).flatMap(({ gpu, profile }) => (gpu === uuid ? [profile] : []));

function isWhole({ gpus, gpuNumbers = {} }: Read, uuid: string): boolean {
  const number = Object.hasOwn(gpuNumbers, uuid) ? gpuNumbers[uuid]! : -1;
  return gpus.some(({ virtual, indices }) => !virtual && indices.includes(number));
}

/** Not every list of devices has the attributes of a profile, such as "+me". */
const plain = (profile: string) => profile.replace(/[+-][a-z.]+$/, "");

/** What is wrong and what to do, for the operator and for what waits for the GPU. */
export function driftFault({ uuid, profiles, found }: MigDrift, { migChanges = {} }: MigChanges) {
  const last = migChanges[uuid];
  const refusal = last?.isRestore && last.result?.outcome === "refused" ? last.result.text : null;
  const now =
    found.length === 0 ? "its MIG devices are gone" : `its MIG devices are ${summaryOf(found)}`;
  const set = `${summaryOf(profiles)} ${profiles.length === 1 ? "was" : "were"} set`;
  const tried = refusal === null ? "" : `, and were not put back: ${refusal}`;
  return {
    reason: `${now}, but ${set}${tried}`,
    recommendation:
      "wait until Freehold puts them back once nothing uses the GPU, or set the layout that it is to have",
  };
}

/** How long after a refusal it is tried again to put a layout back. */
const AGAIN_MS = 300_000;

export function mayRestore(uuid: string, { migChanges = {} }: MigChanges, now: number): boolean {
  const last = migChanges[uuid];
  return !last?.isRestore || last.result?.outcome !== "refused" || now >= last.result.at + AGAIN_MS;
}
