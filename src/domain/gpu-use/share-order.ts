// The order of requests of several groups: the group that has used least for its weight comes first. Pure.

import { HOUR_MS } from "../../base/units.ts";
import type { GpuInterval } from "./decay.ts";

/** What a group has used, decayed, and what it has a right to beside others. */
export interface GroupShare {
  gpuMs: number;
  weight: number;
}

export const DEFAULT_WEIGHT = 1;

/** A member's project, or all of an account that is in none. */
export const groupOf = (accountId: string, projectId: string | null): string =>
  `${accountId} ${projectId ?? ""}`;

/** The ids of a group; that of the project is empty for one that is in none. */
export function idsOfGroup(group: string): { accountId: string; projectId: string } {
  const [accountId, projectId] = group.split(" ") as [string, string];
  return { accountId, projectId };
}

export interface Grouped {
  group: string;
  gpus: number;
}

/** A request counts as if it used its GPUs for so long at least, so that the requests of several groups take turns. */
const EXPECTED_MS = HOUR_MS;

/** What GPUs that are in use since an instant count beyond what was used. */
export const expectedUse = ({ gpus, from, to }: GpuInterval): number =>
  gpus * Math.max(0, EXPECTED_MS - Math.max(0, to - from));

/** Within a group, the order of the requests stays; so it does between groups that are equal. */
export function shareOrder<Each>(
  requests: readonly Each[],
  groupedOf: (each: Each) => Grouped,
  shareOf: (group: string) => GroupShare,
): Each[] {
  const loads = new Map<string, number>();
  const loaded = requests.map((request) => {
    const { group, gpus } = groupedOf(request);
    const { gpuMs, weight } = shareOf(group);
    const load = loads.get(group) ?? gpuMs / weight;
    loads.set(group, load + (gpus * EXPECTED_MS) / weight);
    return { request, load };
  });
  return loaded.toSorted((a, b) => a.load - b.load).map(({ request }) => request);
}

/** The part of all use that a group has, from 0 to 1. */
export function partOfUse(group: string, uses: ReadonlyMap<string, number>): number {
  const total = [...uses.values()].reduce((sum, gpuMs) => sum + gpuMs, 0);
  return total > 0 ? (uses.get(group) ?? 0) / total : 0;
}
