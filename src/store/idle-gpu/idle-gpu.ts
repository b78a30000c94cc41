// The table `idle_gpu`: how long each Pod held GPUs on a day, and how long of that they were idle.

import type { GpuTime } from "../../domain/usage/gpu-time.ts";
import { change, rows, type Tx } from "../engine/statement.ts";

/** Adds to what the Pod's day has, unless the last time that was added is of the same instant: a write may be repeated. */
export function* addGpuTime(time: GpuTime, projectId: string | null): Tx<void> {
  const { podId, podName, accountId, ownerId, day, measuredMs, idleMs, at } = time;
  yield* change(
    `insert into idle_gpu
       (pod_id, day, project_id, owner_id, account_id, pod_name, measured_ms, idle_ms, added_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (pod_id, day, project_id, owner_id) do update set
       pod_name = excluded.pod_name,
       measured_ms = idle_gpu.measured_ms + excluded.measured_ms,
       idle_ms = idle_gpu.idle_ms + excluded.idle_ms,
       added_at = excluded.added_at
     where idle_gpu.added_at <> excluded.added_at`,
    ...[podId, day, projectId ?? "", ownerId ?? "", accountId, podName, measuredMs, idleMs, at],
  );
}

export interface GpuTimeSum {
  /** The holder's id, or the day; null for no member, or no project. */
  id: string | null;
  measuredMs: number;
  idleMs: number;
}

export type GpuTimeGrouping = "member" | "project" | "pod" | "day";

const GROUPS: Record<GpuTimeGrouping, string> = {
  member: "nullif(owner_id, '')",
  project: "nullif(project_id, '')",
  pod: "pod_id",
  day: "day",
};

interface Days {
  from: number;
  /** Exclusive. */
  to: number;
}

/** The name that each Pod had last in these days. */
export function* lastPodNames(accountId: string, { from, to }: Days): Tx<Map<string, string>> {
  const names = yield* rows<{ id: string; name: string }>(
    `select pod_id as id, pod_name as name from idle_gpu
     where account_id = ? and day >= ? and day < ? order by day, added_at`,
    ...[accountId, from, to],
  );
  return new Map(names.map(({ id, name }) => [id, name]));
}

export function* sumGpuTimes(
  accountId: string,
  grouping: GpuTimeGrouping,
  { from, to }: Days,
): Tx<GpuTimeSum[]> {
  const group = GROUPS[grouping];
  const sums = yield* rows<GpuTimeSum & { id: string | number | null }>(
    `select ${group} as id, sum(measured_ms) as "measuredMs",
       sum(idle_ms) as "idleMs"
     from idle_gpu where account_id = ? and day >= ? and day < ?
     group by ${group} order by ${group}`,
    ...[accountId, from, to],
  );
  return sums.map(({ id, measuredMs, idleMs }) => ({
    id: id === null ? null : String(id),
    measuredMs: Number(measuredMs),
    idleMs: Number(idleMs),
  }));
}

/** Deletes up to `limit` rows of days before an instant. */
export function* forgetGpuTimes(before: number, limit: number): Tx<void> {
  yield* change(
    `delete from idle_gpu where (pod_id, day, project_id, owner_id) in
       (select pod_id, day, project_id, owner_id from idle_gpu where day < ? limit ?)`,
    ...[before, limit],
  );
}
