// The GPU-hours that Pods of an account held idle, by their holder or by day.

import type { Clock } from "../../base/clock.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  type GpuTimeGrouping,
  type GpuTimeSum,
  sumGpuTimes,
} from "../../store/idle-gpu/idle-gpu.ts";
import { findMemberName } from "../../store/member/member.ts";
import { listProjects } from "../../store/project/project.ts";
import { historyWindow } from "../billing/window.ts";

export interface IdleGpuTime extends Pick<GpuTimeSum, "id" | "measuredMs" | "idleMs"> {
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
  const projects = grouping === "project" ? yield* listProjects(accountId) : [];
  const times: IdleGpuTime[] = [];
  for (const { podName, ...sum } of sums) {
    const { id } = sum;
    if (grouping === "day") {
      const day = new Date(Number(id)).toISOString().slice(0, 10);
      times.push({ ...sum, id: day, name: day });
    } else if (id === null) {
      times.push({ ...sum, name: `No ${grouping}` });
    } else if (grouping === "pod") {
      times.push({ ...sum, name: podName });
    } else if (grouping === "member") {
      times.push({ ...sum, name: (yield* findMemberName(id))?.name ?? id });
    } else {
      times.push({ ...sum, name: projects.find((each) => each.id === id)?.name ?? id });
    }
  }
  return times;
}
