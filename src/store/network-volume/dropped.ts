// Network volumes that were deleted, until nothing of them is left.

import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { change, ring, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { endVolumeMeter } from "./meter.ts";
import { ringVolume } from "./network-volume.ts";

/** Nobody sees it any more; what it holds is removed by its machine. It must be locked. */
export function* dropVolume(volume: NetworkVolume, now: number): Verb<void> {
  const { id, machine } = volume;
  if (machine === null) yield* change("delete from network_volume where id = ?", id);
  else yield* change("update network_volume set deleted_at = ? where id = ?", now, id);
  yield* endVolumeMeter(id, now);
  yield* ring(topic.workloads);
  yield* ringVolume(volume);
}

/** Ids of those whose data is still on a machine. */
export function* droppedOn(machine: string): Verb<string[]> {
  const found = yield* rows<{ id: string }>(
    "select id from network_volume where machine = ? and deleted_at is not null order by id",
    machine,
  );
  return found.map(({ id }) => id);
}

/** Ended workers of a machine that may have had it. */
export function* endedWith(machine: string, id: string): Verb<string[]> {
  const found = yield* rows<{ id: string }>(
    `select worker.id from worker join release on release.endpoint_id = worker.endpoint_id
       and release.version = worker.version
     where worker.machine = ? and worker.observed = 'ended' and release.workload like ?`,
    machine,
    `%"${id}"%`,
  );
  return found.map((worker) => worker.id);
}

/** Nothing of it is left. */
export function* forgetVolume(id: string): Verb<void> {
  yield* change("delete from network_volume where id = ? and deleted_at is not null", id);
}
