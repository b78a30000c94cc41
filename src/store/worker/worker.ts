// Workers in the store. Loops write the desired state and what they observed; the worker protocol
// writes only what the worker itself reported.

import type { EndCause } from "../../domain/container/end-cause.ts";
import type { WorkerHealth } from "../../domain/serving/health-check.ts";
import type { Serving } from "../../domain/serving/serving.ts";
import type {
  Allocation,
  EndedWorker,
  LiveWorker,
  Worker,
  WorkerRequest,
  WorkerWithJobs,
} from "../../domain/worker/worker.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";
import { parsed, WORKER_COLUMNS, type WorkerRow, workerFromRow } from "./row.ts";

export function* insertWorkerRow(
  worker: WorkerRequest,
  keyHash: string,
  now: number,
  allocation: Allocation,
): Tx<void> {
  yield* change(
    `insert into worker (id, endpoint_id, version, machine, driver, key_hash, gpu_type_id, gpus,
       virtual, vcpus, memory_mb, disk_gb, rate, serving, desired, taking, observed, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'run', 1, 'new', ?)`,
    worker.id,
    worker.endpointId,
    worker.version,
    worker.machine,
    worker.driver,
    keyHash,
    allocation.gpuTypeId,
    allocation.gpus.join(),
    Number(allocation.virtual),
    allocation.vcpus,
    allocation.memoryMb,
    allocation.diskGb,
    allocation.rate,
    worker.serving ? JSON.stringify(worker.serving) : null,
    now,
  );
}

/** The worker that a key was made for; the key of an ended worker is no longer valid. */
export function* workerByKey(hash: string): Tx<Worker | undefined> {
  const found = yield* row<WorkerRow>(
    `select ${WORKER_COLUMNS} from worker where key_hash = ? and observed <> 'ended'`,
    hash,
  );
  return found && workerFromRow(found);
}

export function* findWorker(id: string): Tx<Worker | undefined> {
  const found = yield* row<WorkerRow>(`select ${WORKER_COLUMNS} from worker where id = ?`, id);
  return found && workerFromRow(found);
}

type CountedRow = WorkerRow & { jobs_held: number };

/** Jobs of a queue, or requests in flight: what keeps a worker from ending. */
const JOBS_HELD = `((select count(*) from job
  where job.worker_id = worker.id and job.state = 'IN_PROGRESS')
  + (select cast(coalesce(sum(requests), 0) as bigint) from request_load
  where request_load.worker_id = worker.id))`;
const COUNTED_COLUMNS = `${WORKER_COLUMNS}, ${JOBS_HELD} as jobs_held`;

function countedFromRow(row: CountedRow): WorkerWithJobs {
  return { ...workerFromRow(row), jobsHeld: row.jobs_held };
}

export function* findWorkerWithJobs(id: string): Tx<WorkerWithJobs | undefined> {
  const found = yield* row<CountedRow>(`select ${COUNTED_COLUMNS} from worker where id = ?`, id);
  return found && countedFromRow(found);
}

export function* liveWorkers(endpointId: string): Tx<LiveWorker[]> {
  const found = yield* rows<CountedRow>(
    `select ${COUNTED_COLUMNS} from worker
     where endpoint_id = ? and observed <> 'ended' order by created_at, id`,
    endpointId,
  );
  return found.map(countedFromRow) as LiveWorker[];
}

/** What autoscaling reads of a live worker: few columns, because it reads all workers ten times a second. */
export type ScaledWorker = Pick<
  LiveWorker,
  | "id"
  | "version"
  | "desired"
  | "observed"
  | "unhealthy"
  | "createdAt"
  | "readyAt"
  | "freedAt"
  | "served"
  | "health"
  | "jobsHeld"
>;

export function* scaledWorkers(endpointId: string): Tx<ScaledWorker[]> {
  const found = yield* rows<Omit<ScaledWorker, "health"> & { health: string | null }>(
    `select id, version, desired, observed, unhealthy, created_at as "createdAt",
       ready_at as "readyAt", freed_at as "freedAt", served, health, ${JOBS_HELD} as "jobsHeld"
     from worker where endpoint_id = ? and observed <> 'ended' order by created_at, id`,
    endpointId,
  );
  return found.map((each) => ({ ...each, health: parsed<WorkerHealth>(each.health) }));
}

export function* liveWorkersOn(machine: string): Tx<LiveWorker[]> {
  const found = yield* rows<CountedRow>(
    `select ${COUNTED_COLUMNS} from worker
     where machine = ? and observed <> 'ended' order by created_at, id`,
    machine,
  );
  return found.map(countedFromRow) as LiveWorker[];
}

/** The running workers of a machine that serve jobs, without what only other readers need. */
export function* jobWorkersOn(
  machine: string,
): Tx<Pick<LiveWorker, "id" | "endpointId" | "driver" | "createdAt">[]> {
  return yield* rows(
    `select id, endpoint_id as "endpointId", driver, created_at as "createdAt" from worker
     where machine = ? and observed <> 'ended' and observed = 'running' and serving is null`,
    machine,
  );
}

/** Live workers of load-balancing endpoints. */
export function* servingWorkersOn(machine: string): Tx<LiveWorker[]> {
  const found = yield* rows<WorkerRow>(
    `select ${WORKER_COLUMNS} from worker
     where machine = ? and observed <> 'ended' and serving is not null order by created_at, id`,
    machine,
  );
  return found.map((each) => ({ ...workerFromRow(each), jobsHeld: 0 })) as LiveWorker[];
}

/** The workers of an endpoint that ended last, the latest first. */
export function* endedWorkers(endpointId: string, limit: number): Tx<EndedWorker[]> {
  const found = yield* rows<WorkerRow>(
    `select ${WORKER_COLUMNS} from worker where endpoint_id = ? and observed = 'ended'
     order by ended_at desc limit ?`,
    endpointId,
    limit,
  );
  return found.map(workerFromRow) as EndedWorker[];
}

/** Why a worker gets no job: none waits, it takes no more, or it is about to end. */
export type NoJobReason = "none_waiting" | "not_taking" | "ending";

export function* noJobReason(workerId: string): Tx<NoJobReason> {
  const found = yield* row<{ taking: number; observed: string; signalled_at: number | null }>(
    "select taking, observed, signalled_at from worker where id = ?",
    workerId,
  );
  if (!found || found.observed === "ended" || found.signalled_at !== null) return "ending";
  return found.taking === 1 ? "none_waiting" : "not_taking";
}

/** False where the worker has ended, or was already to end by as much. */
export function* setDesiredEnd(
  id: string,
  desired: "drain" | "end",
  reason: string,
  now: number,
): Tx<boolean> {
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
  return changed > 0;
}

/** Where a worker serves, once its driver has given it a port. */
export function* setServing(id: string, serving: Serving): Tx<void> {
  yield* change("update worker set serving = ? where id = ?", JSON.stringify(serving), id);
}

export function* setHealth(id: string, health: WorkerHealth, now: number): Tx<void> {
  yield* change(
    "update worker set health = ?, ready_at = coalesce(ready_at, ?) where id = ? and observed <> 'ended'",
    JSON.stringify(health),
    health.state === "ready" ? now : null,
    id,
  );
}

export function* setUnhealthy(id: string, reason: string): Tx<void> {
  yield* change("update worker set unhealthy = ?, taking = 0 where id = ?", reason, id);
}

export function* setSignalled(id: string, at: number): Tx<void> {
  yield* change("update worker set signalled_at = coalesce(signalled_at, ?) where id = ?", at, id);
}

/** How a worker ended. */
export interface RecordedWorkerEnd {
  at: number;
  exitCode: number | null;
  signal: string | null;
  cause?: EndCause | null;
}

/** False where its end was observed before. */
export function* setEnded(id: string, end: RecordedWorkerEnd): Tx<boolean> {
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
  return changed > 0;
}

/** Ids of workers that ended before an instant, the first to end first. */
export function* workersEndedBefore(before: number, limit: number): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from worker where observed = 'ended' and ended_at < ?
     order by ended_at, id limit ?`,
    before,
    limit,
  );
  return found.map(({ id }) => id);
}

export function* deleteWorker(id: string): Tx<void> {
  yield* change("delete from worker where id = ?", id);
}

/** The ids of some workers that are still stored. */
/** The workers among these whose end is recorded. */
export function* endedAmong(
  ids: string[],
): Tx<{ id: string; endpointId: string; endedAt: number }[]> {
  const ended: { id: string; endpointId: string; endedAt: number }[] = [];
  for (const id of ids) {
    const found = yield* row<{ id: string; endpointId: string; endedAt: number }>(
      `select id, endpoint_id as "endpointId", ended_at as "endedAt" from worker
       where id = ? and observed = 'ended'`,
      id,
    );
    if (found) ended.push(found);
  }
  return ended;
}

export function* storedWorkers(ids: string[]): Tx<string[]> {
  const stored: string[] = [];
  for (const id of ids) {
    if (yield* row("select 1 from worker where id = ?", id)) stored.push(id);
  }
  return stored;
}
