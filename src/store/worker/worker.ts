// Workers in the store. What is wanted of one is written by loops that decide, what is seen of one
// by those that observe; the protocol writes only what the worker itself said.

import { howEnded } from "../../domain/pod/after-end.ts";
import type { EndCause } from "../../domain/worker/end-cause.ts";
import { freeGpus, giveGpus } from "../place/gpus.ts";
import { change, ring, row, rows, type Sign, sideBySide, signed, type Verb } from "../statement.ts";
import { addSystemLine } from "../system-log.ts";
import { topic } from "../wakes.ts";
import { endWorkerMeter, meterWorker } from "./meter.ts";

export type Desired = "run" | "drain" | "end";
export type Observed = "new" | "running" | "ended";

export interface WorkerRow {
  id: string;
  endpoint_id: string;
  version: number;
  /** Where it runs: only the replica that has this machine can start, see and end it. */
  machine: string;
  driver: string;
  gpu_type_id: string | null;
  /** Indices of its GPUs, by commas. */
  gpus: string;
  virtual: number;
  vcpus: number;
  memory_mb: number;
  desired: Desired;
  desired_reason: string | null;
  taking: number;
  observed: Observed;
  created_at: number;
  started_at: number | null;
  ready_at: number | null;
  freed_at: number | null;
  pinged_at: number | null;
  ping_version: string | null;
  polled_idle_at: number | null;
  stop_polled_at: number | null;
  seen_at: number | null;
  served: number;
  unhealthy: string | null;
  end_asked_at: number | null;
  signalled_at: number | null;
  ended_at: number | null;
  exit_code: number | null;
  signal: string | null;
  end_cause: string | null;
}

export const WORKER_COLUMNS = `id, endpoint_id, version, machine, driver, gpu_type_id, gpus,
  virtual, vcpus, memory_mb, desired, desired_reason, taking, observed, created_at,
  started_at, ready_at, freed_at, pinged_at, ping_version, polled_idle_at, stop_polled_at, seen_at, served, unhealthy, end_asked_at, signalled_at, ended_at, exit_code, signal,
  end_cause`;

/** What of its machine is a worker's alone; what is on paper only is taken from nobody. */
export interface Given {
  gpuTypeId: string | null;
  gpus: readonly number[];
  virtual: boolean;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  /** Micro-dollars per hour, of what it was given. */
  rate: number;
}

export const nothingGiven: Given = {
  ...{ gpuTypeId: null, gpus: [], virtual: false },
  ...{ vcpus: 0, memoryMb: 0, diskGb: 0, rate: 0 },
};

export function* insertWorker(
  worker: Pick<WorkerRow, "id" | "endpoint_id" | "version" | "machine" | "driver">,
  keyHash: string,
  now: number,
  given = nothingGiven,
): Verb<void> {
  yield* change(
    `insert into worker (id, endpoint_id, version, machine, driver, key_hash, gpu_type_id, gpus,
       virtual, vcpus, memory_mb, disk_gb, rate, desired, taking, observed, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'run', 1, 'new', ?)`,
    worker.id,
    worker.endpoint_id,
    worker.version,
    worker.machine,
    worker.driver,
    keyHash,
    given.gpuTypeId,
    given.gpus.join(),
    Number(given.virtual),
    given.vcpus,
    given.memoryMb,
    given.diskGb,
    given.rate,
    now,
  );
  const { version, machine } = worker;
  yield* addSystemLine(worker.id, now, `wanted for version ${version}, on machine ${machine}`);
  yield* giveGpus(worker.id, worker.machine, given.gpus);
  yield* ring(topic.workloads);
  yield* ring(topic.changedWithin("worker", worker.id));
}

/** The worker a key was made for; an ended one's key opens nothing any more. */
export function* workerByKey(hash: string): Verb<WorkerRow | undefined> {
  return yield* row<WorkerRow>(
    `select ${WORKER_COLUMNS} from worker where key_hash = ? and observed <> 'ended'`,
    hash,
  );
}

export function* findWorker(id: string): Verb<WorkerRow | undefined> {
  return yield* row<WorkerRow>(`select ${WORKER_COLUMNS} from worker where id = ?`, id);
}

/** A worker with the number of jobs it holds. */
export interface LiveWorker extends WorkerRow {
  held: number;
}

export function* findHolder(id: string): Verb<LiveWorker | undefined> {
  return yield* row<LiveWorker>(
    `select ${WORKER_COLUMNS}, (select count(*) from job
       where job.worker_id = worker.id and job.state = 'IN_PROGRESS') as held
     from worker where id = ?`,
    id,
  );
}

export function* liveWorkers(endpointId: string): Verb<LiveWorker[]> {
  return yield* rows<LiveWorker>(
    `select ${WORKER_COLUMNS}, (select count(*) from job
       where job.worker_id = worker.id and job.state = 'IN_PROGRESS') as held
     from worker where endpoint_id = ? and observed <> 'ended' order by created_at, id`,
    endpointId,
  );
}

export function* liveWorkersOn(machine: string): Verb<LiveWorker[]> {
  return yield* rows<LiveWorker>(
    `select ${WORKER_COLUMNS}, (select count(*) from job
       where job.worker_id = worker.id and job.state = 'IN_PROGRESS') as held
     from worker where machine = ? and observed <> 'ended' order by created_at, id`,
    machine,
  );
}

/** The workers of an endpoint that ended last, the latest first. */
export function* endedWorkers(endpointId: string, most: number): Verb<WorkerRow[]> {
  return yield* rows<WorkerRow>(
    `select ${WORKER_COLUMNS} from worker where endpoint_id = ? and observed = 'ended'
     order by ended_at desc limit ?`,
    endpointId,
    most,
  );
}

/** Wants a worker to finish what it holds and end (`drain`), or to end now (`end`). */
export function* wantEnd(
  id: string,
  desired: "drain" | "end",
  reason: string,
  now: number,
): Verb<boolean> {
  const from = desired === "drain" ? "('run')" : "('run', 'drain')";
  const changed = yield* change(
    `update worker set desired = ?, desired_reason = ?, taking = 0,
       end_asked_at = coalesce(end_asked_at, ?) where id = ? and desired in ${from}
       and observed <> 'ended'`,
    desired,
    reason,
    now,
    id,
  );
  if (changed > 0) {
    const what = desired === "drain" ? "is to end when it has no jobs left" : "is to end";
    yield* addSystemLine(id, now, `${what}: ${reason}`);
    yield* ringWorker(id);
    yield* ring(topic.workloads);
  }
  return changed > 0;
}

/** A worker that reports itself, or is judged, unable to serve. */
export function* markUnhealthy(id: string, why: string): Verb<void> {
  yield* change("update worker set unhealthy = ?, taking = 0 where id = ?", why, id);
  yield* ringWorker(id);
  yield* ring(topic.fleet);
}

export function* markStarted(id: string, at: number): Verb<void> {
  const changed = yield* change(
    "update worker set observed = 'running', started_at = ? where id = ? and observed = 'new'",
    at,
    id,
  );
  if (changed === 0) return;
  yield* addSystemLine(id, at, "started");
  yield* meterWorker(id, at);
  yield* ring(topic.changedWithin("worker", id));
}

/** From here on its polls are let go, so that it sees the signal that comes next. */
export function* markSignalled(id: string, at: number): Verb<void> {
  yield* change("update worker set signalled_at = coalesce(signalled_at, ?) where id = ?", at, id);
  yield* ring(topic.worker(id));
}

export function* markEnded(
  id: string,
  end: { at: number; exitCode: number | null; signal: string | null; cause?: EndCause | null },
): Verb<boolean> {
  const changed = yield* change(
    `update worker set observed = 'ended', taking = 0, ended_at = ?, exit_code = ?, signal = ?,
       end_cause = ?
     where id = ? and observed <> 'ended'`,
    end.at,
    end.exitCode,
    end.signal,
    end.cause ?? null,
    id,
  );
  if (changed === 0) return false;
  yield* addSystemLine(id, end.at, endText(end));
  yield* endWorkerMeter(id, end.at);
  yield* change("delete from stop where worker_id = ?", id);
  yield* freeGpus(id);
  yield* ringWorker(id);
  yield* ring(topic.directory);
  yield* ring(topic.fleet);
  return true;
}

function endText({ exitCode, signal, cause }: Parameters<typeof markEnded>[1]): string {
  const oom = cause === "out_of_memory";
  if (!oom && cause) return `could not be started: ${cause.replaceAll("_", " ")}`;
  return `ended ${howEnded({ exitCode, signal, oom })}`;
}

/** What the worker's own calls showed. */
export const noteSign = sideBySide(function* noteSign(
  id: string,
  sign: Sign,
  now: number,
): Verb<void> {
  yield* signed(id, now, sign);
  if (!sign.ready) return;
  yield* ring(topic.fleet);
  yield* ring(topic.changedWithin("worker", id));
});

function* ringWorker(id: string): Verb<void> {
  yield* ring(topic.worker(id));
  yield* ring(topic.changedWithin("worker", id));
}

/** Forgets workers that ended before an instant. */
export function* forgetWorkers(before: number, most: number): Verb<void> {
  const oldest = `select id from worker where observed = 'ended' and ended_at < ?
    order by ended_at, id limit ?`;
  yield* change(`delete from system_line where workload in (${oldest})`, before, most);
  yield* change(`delete from kept_log where workload in (${oldest})`, before, most);
  yield* change(`delete from worker where id in (${oldest})`, before, most);
}

/** Those of some workers that are not forgotten yet. */
export function* rememberedOf(ids: string[]): Verb<string[]> {
  const remembered: string[] = [];
  for (const id of ids) {
    if (yield* row("select 1 from worker where id = ?", id)) remembered.push(id);
  }
  return remembered;
}
