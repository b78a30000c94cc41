// The table `idle_gpu`: how long each Pod held GPUs on a day, and how long of that they were idle.

import type { GpuTime } from "../../domain/usage/gpu-time.ts";
import { change, rows, type Tx } from "../engine/statement.ts";

/** Adds to what the Pod's day has. */
export function* addGpuTime(time: GpuTime, projectId: string | null): Tx<void> {
  const { podId, podName, accountId, ownerId, day, measuredMs, idleMs } = time;
  yield* change(
    `insert into idle_gpu
       (pod_id, day, project_id, account_id, owner_id, pod_name, measured_ms, idle_ms)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (pod_id, day, project_id) do update set
       pod_name = excluded.pod_name,
       measured_ms = idle_gpu.measured_ms + excluded.measured_ms,
       idle_ms = idle_gpu.idle_ms + excluded.idle_ms`,
    ...[podId, day, projectId ?? "", accountId, ownerId, podName, measuredMs, idleMs],
  );
}

export interface GpuTimeSum {
  /** The holder's id, or the day; null for no member, or no project. */
  id: string | null;
  /** A Pod's last name. */
  podName: string;
  measuredMs: number;
  idleMs: number;
}

export type GpuTimeGrouping = "member" | "project" | "pod" | "day";

const GROUPS: Record<GpuTimeGrouping, string> = {
  member: "owner_id",
  project: "nullif(project_id, '')",
  pod: "pod_id",
  day: "day",
};

/** From the day `from` to before the day `to`. */
export function* sumGpuTimes(
  accountId: string,
  grouping: GpuTimeGrouping,
  { from, to }: { from: number; to: number },
): Tx<GpuTimeSum[]> {
  const group = GROUPS[grouping];
  const sums = yield* rows<GpuTimeSum & { id: string | number | null }>(
    `select ${group} as id, max(pod_name) as "podName",
       sum(measured_ms) as "measuredMs", sum(idle_ms) as "idleMs"
     from idle_gpu where account_id = ? and day >= ? and day < ?
     group by ${group} order by ${group}`,
    ...[accountId, from, to],
  );
  return sums.map(({ id, podName, measuredMs, idleMs }) => ({
    id: id === null ? null : String(id),
    podName,
    measuredMs: Number(measuredMs),
    idleMs: Number(idleMs),
  }));
}

/** Of days before an instant, up to `limit` rows. */
export function* forgetGpuTimes(before: number, limit: number): Tx<void> {
  yield* change(
    `delete from idle_gpu where (pod_id, day, project_id) in
       (select pod_id, day, project_id from idle_gpu where day < ? limit ?)`,
    ...[before, limit],
  );
}
