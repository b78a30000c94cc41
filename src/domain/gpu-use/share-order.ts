// The order of requests of several groups: the group that has used least for its weight comes first. Pure.

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

export interface Grouped {
  group: string;
  gpus: number;
}

/** A request counts as if it used its GPUs for so long at least, so that the requests of several groups take turns. */
const EXPECTED_MS = 60 * 60 * 1_000;

/** What GPUs that are in use since an instant count beyond what was used. */
export const expectedUse = ({ gpus, from, to }: GpuInterval): number =>
  gpus * Math.max(0, EXPECTED_MS - Math.max(0, to - from));

/** Within a group, the order of the requests stays; so it does between groups that are equal. */
export function shareOrder<Each>(
  requests: readonly Each[],
  groupedOf: (each: Each) => Grouped,
  shareOf: (group: string) => GroupShare,
): Each[] {
  const lines = [...Map.groupBy(requests.entries(), ([, each]) => groupedOf(each).group)].map(
    ([group, entries]) => {
      const { gpuMs, weight } = shareOf(group);
      return { entries, at: 0, weight, load: gpuMs / weight };
    },
  );
  const ordered: Each[] = [];
  while (ordered.length < requests.length) {
    const waiting = lines.filter(({ at, entries }) => at < entries.length);
    const next = waiting.reduce((first, each) => (isBefore(each, first) ? each : first));
    const [, request] = next.entries[next.at]!;
    next.at += 1;
    next.load += (groupedOf(request).gpus * EXPECTED_MS) / next.weight;
    ordered.push(request);
  }
  return ordered;
}

interface GroupLine {
  entries: [number, unknown][];
  at: number;
  load: number;
}

const isBefore = (a: GroupLine, b: GroupLine): boolean =>
  a.load < b.load || (a.load === b.load && a.entries[a.at]![0] < b.entries[b.at]![0]);

/** The part of all use that a group has, from 0 to 1. */
export function partOfUse(group: string, uses: ReadonlyMap<string, number>): number {
  const total = [...uses.values()].reduce((sum, gpuMs) => sum + gpuMs, 0);
  return total > 0 ? (uses.get(group) ?? 0) / total : 0;
}
