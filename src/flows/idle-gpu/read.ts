// The GPU-hours that Pods of an account held idle, by their holder or by day.

import type { Clock } from "../../base/clock.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  type GpuTimeGrouping,
  type GpuTimeSum,
  lastPodNames,
  sumGpuTimes,
} from "../../store/idle-gpu/idle-gpu.ts";
import { listProjects } from "../../store/project/project.ts";
import { historyWindow } from "../billing/window.ts";
import { namesOfMembers } from "../member/names.ts";

export interface IdleGpuTime extends GpuTimeSum {
  name: string;
}

interface IdleGpuQuery {
  grouping: GpuTimeGrouping;
  startTime: number | null;
  endTime: number | null;
}

export async function idleGpuTimes(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  { grouping, startTime, endTime }: IdleGpuQuery,
): Promise<IdleGpuTime[]> {
  const window = historyWindow({ bucketSize: "day", startTime, endTime }, clock.now());
  const times = await store.read(readTimes, accountId, grouping, window);
  return grouping === "day" ? times : times.sort((a, b) => b.idleMs - a.idleMs);
}

function* readTimes(
  accountId: string,
  grouping: GpuTimeGrouping,
  window: { from: number; to: number },
): Tx<IdleGpuTime[]> {
  const sums = yield* sumGpuTimes(accountId, grouping, window);
  if (grouping === "day") return sums.map(ofDay);
  const names = yield* namesBy(grouping, accountId, window, sums);
  return sums.map((sum) => ({ ...sum, name: nameOf(sum.id, grouping, names) }));
}

function nameOf(
  id: string | null,
  grouping: string,
  names: ReadonlyMap<string | null, string>,
): string {
  return id === null ? `No ${grouping}` : (names.get(id) ?? id);
}

function ofDay(sum: GpuTimeSum): IdleGpuTime {
  const day = new Date(Number(sum.id)).toISOString().slice(0, 10);
  return { ...sum, id: day, name: day };
}

function* namesBy(
  grouping: Exclude<GpuTimeGrouping, "day">,
  accountId: string,
  window: { from: number; to: number },
  sums: readonly GpuTimeSum[],
): Tx<ReadonlyMap<string | null, string>> {
  if (grouping === "member")
    return yield* namesOfMembers(new Set(sums.flatMap(({ id }) => id ?? [])));
  if (grouping === "pod") return yield* lastPodNames(accountId, window);
  return new Map((yield* listProjects(accountId)).map(({ id, name }) => [id, name]));
}
