// A worker's row, and the Worker it stands for.

import { asEndCause } from "../../domain/container/end-cause.ts";
import type { WorkerHealth } from "../../domain/serving/health-check.ts";
import type { Serving } from "../../domain/serving/serving.ts";
import type { DesiredState, ObservedState, Worker } from "../../domain/worker/worker.ts";
import { parseNumbers } from "../engine/number-list.ts";

export interface WorkerRow {
  id: string;
  endpoint_id: string;
  version: number;
  machine: string;
  driver: string;
  gpu_type_id: string | null;
  gpus: string;
  virtual: number;
  vcpus: number;
  memory_mb: number;
  rate: number;
  desired: DesiredState;
  desired_reason: string | null;
  observed: ObservedState;
  created_at: number;
  launched_at: number | null;
  models_at: number | null;
  pulling_at: number | null;
  image_at: number | null;
  process_at: number | null;
  loaded_at: number | null;
  started_at: number | null;
  ready_at: number | null;
  first_job_at: number | null;
  freed_at: number | null;
  pinged_at: number | null;
  ping_version: string | null;
  seen_at: number | null;
  served: number;
  unhealthy: string | null;
  end_asked_at: number | null;
  signalled_at: number | null;
  serving: string | null;
  health: string | null;
  ended_at: number | null;
  exit_code: number | null;
  signal: string | null;
  end_cause: string | null;
}

export const WORKER_COLUMNS = `id, endpoint_id, version, machine, driver, gpu_type_id, gpus, virtual,
  vcpus, memory_mb, rate, desired, desired_reason, observed, created_at, launched_at, models_at,
  pulling_at, image_at, process_at, loaded_at, started_at, ready_at, first_job_at, freed_at, pinged_at, ping_version, seen_at, served, unhealthy, end_asked_at, signalled_at, serving, health, ended_at, exit_code, signal, end_cause`;

/** Every statement that changes what was observed sets its fields, so none of them is null here. */
export function workerFromRow(row: WorkerRow): Worker {
  const created = createdFields(row);
  if (row.observed === "new") return { ...created, observed: row.observed, startedAt: null };
  if (row.observed === "running") {
    return { ...created, observed: row.observed, startedAt: row.started_at! };
  }
  return {
    ...created,
    observed: row.observed,
    startedAt: row.started_at,
    endedAt: row.ended_at!,
    exitCode: row.exit_code,
    signal: row.signal,
    endCause: asEndCause(row.end_cause),
  };
}

function createdFields(row: WorkerRow) {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    version: row.version,
    machine: row.machine,
    driver: row.driver,
    gpuTypeId: row.gpu_type_id,
    gpus: parseNumbers(row.gpus),
    virtual: row.virtual === 1,
    vcpus: row.vcpus,
    memoryMb: row.memory_mb,
    rate: row.rate,
    desired: row.desired,
    desiredReason: row.desired_reason,
    createdAt: row.created_at,
    launchedAt: row.launched_at,
    modelsAt: row.models_at,
    pullingAt: row.pulling_at,
    imageAt: row.image_at,
    processAt: row.process_at,
    loadedAt: row.loaded_at,
    readyAt: row.ready_at,
    firstJobAt: row.first_job_at,
    freedAt: row.freed_at,
    pingedAt: row.pinged_at,
    pingVersion: row.ping_version,
    seenAt: row.seen_at,
    served: row.served,
    unhealthy: row.unhealthy,
    endAskedAt: row.end_asked_at,
    signalledAt: row.signalled_at,
    serving: parsed<Serving>(row.serving),
    health: parsed<WorkerHealth>(row.health),
  };
}

/** JSON that this program wrote. */
export function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
