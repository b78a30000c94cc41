// Pods as they are kept, and read.

import type { PodState } from "../../domain/pod/moves.ts";
import type { ContainerState, Pod, PodCause, PodSpec } from "../../domain/pod/pod.ts";
import { asEndCause } from "../../domain/worker/end-cause.ts";
import { row, rows, type Value, type Verb } from "../statement.ts";

interface Row {
  id: string;
  account_id: string;
  key_id: string;
  name: string;
  spec: string;
  state: PodState;
  cause: PodCause;
  reason: string | null;
  changed_at: number;
  locked: number;
  machine: string;
  driver: string;
  gpu_type_id: string | null;
  gpus: string;
  virtual: number;
  cpu_flavor_id: string | null;
  vcpus: number;
  memory_mb: number;
  cost: number;
  running_rate: number;
  stopped_rate: number;
  covered_gpus: number;
  round: number;
  started_round: number;
  started_gpus: string;
  observed: ContainerState;
  start_at: number;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  exit_code: number | null;
  signal: string | null;
  oom: number;
  ends: string;
  failed_starts: number;
  failing_since: number | null;
  trouble: string | null;
  trouble_cause: string | null;
  public_ip: string | null;
  port_mappings: string;
  stop_after: number | null;
  terminate_after: number | null;
}

export function* findPod(id: string): Verb<Pod | undefined> {
  const found = yield* row<Row>("select * from pod where id = ?", id);
  return found && fromRow(found);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockPod(id: string): Verb<Pod | undefined> {
  const found = yield* row<Row>("select * from pod where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

/** Nobody else changes any of them, but for terminated ones, before the surrounding turn is committed. */
export function* lockAllPods(): Verb<void> {
  yield* rows("select id from pod where state <> 'TERMINATED' order by id /*+ for update */");
}

/** An account's Pods that are not terminated, in the order of their making. */
export function* podsOf(accountId: string): Verb<Pod[]> {
  const found = yield* rows<Row>(
    `select * from pod where account_id = ? and state <> 'TERMINATED' order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** Of all accounts, but for terminated ones. */
export function* allPods(): Verb<Pod[]> {
  const found = yield* rows<Row>("select * from pod where state <> 'TERMINATED' order by id");
  return found.map(fromRow);
}

/** All of a machine, terminated ones until nothing of them is left there. */
export function* podsOn(machine: string): Verb<Pod[]> {
  const found = yield* rows<Row>("select * from pod where machine = ? order by id", machine);
  return found.map(fromRow);
}

export function* podIdsOn(machine: string): Verb<string[]> {
  const found = yield* rows<{ id: string }>("select id from pod where machine = ?", machine);
  return found.map(({ id }) => id);
}

/** Pods whose time to stop or to be terminated has come, and when the next one's comes. */
export function* duePods(now: number): Verb<{ due: Pod[]; nextAt: number | null }> {
  const found = yield* rows<Row>(
    `select * from pod where (stop_after <= ? and state = 'RUNNING')
       or (terminate_after <= ? and state <> 'TERMINATED')`,
    now,
    now,
  );
  const next = yield* row<{ at: number | null }>(
    `select min(at) as at from (
       select min(stop_after) as at from pod where stop_after > ? and state = 'RUNNING'
       union all
       select min(terminate_after) from pod where terminate_after > ? and state <> 'TERMINATED'
     ) as deadlines`,
    now,
    now,
  );
  return { due: found.map(fromRow), nextAt: next?.at ?? null };
}

function fromRow(found: Row): Pod {
  return {
    id: found.id,
    accountId: found.account_id,
    keyId: found.key_id,
    name: found.name,
    spec: JSON.parse(found.spec) as PodSpec,
    state: found.state,
    cause: found.cause,
    reason: found.reason,
    changedAt: found.changed_at,
    locked: found.locked === 1,
    machine: found.machine,
    driver: found.driver,
    gpuTypeId: found.gpu_type_id,
    gpus: numbers(found.gpus),
    virtual: found.virtual === 1,
    cpuFlavorId: found.cpu_flavor_id,
    vcpus: found.vcpus,
    memoryMb: found.memory_mb,
    cost: found.cost,
    runningRate: found.running_rate,
    stoppedRate: found.stopped_rate,
    coveredGpus: found.covered_gpus,
    round: found.round,
    startedRound: found.started_round,
    startedGpus: numbers(found.started_gpus),
    observed: found.observed,
    startAt: found.start_at,
    createdAt: found.created_at,
    startedAt: found.started_at,
    endedAt: found.ended_at,
    exitCode: found.exit_code,
    signal: found.signal,
    oom: found.oom === 1,
    ends: numbers(found.ends),
    failedStarts: found.failed_starts,
    failingSince: found.failing_since,
    trouble: found.trouble,
    troubleCause: asEndCause(found.trouble_cause),
    publicIp: found.public_ip,
    portMappings: JSON.parse(found.port_mappings) as Record<string, number>,
    stopAfter: found.stop_after,
    terminateAfter: found.terminate_after,
  };
}

/** "1,2" as it is kept. */
export const numbers = (text: string): number[] => (text === "" ? [] : text.split(",").map(Number));

/** What an insert keeps of a new Pod, column by column. */
export function columnsOf(pod: Pod): Record<string, Value> {
  return {
    id: pod.id,
    account_id: pod.accountId,
    key_id: pod.keyId,
    name: pod.name,
    spec: JSON.stringify(pod.spec),
    state: pod.state,
    cause: pod.cause,
    changed_at: pod.changedAt,
    locked: Number(pod.locked),
    interruptible: Number(pod.spec.interruptible),
    machine: pod.machine,
    driver: pod.driver,
    gpu_type_id: pod.gpuTypeId,
    gpus: pod.gpus.join(),
    virtual: Number(pod.virtual),
    cpu_flavor_id: pod.cpuFlavorId,
    vcpus: pod.vcpus,
    memory_mb: pod.memoryMb,
    container_gb: pod.spec.containerDiskInGb,
    volume_gb: pod.spec.volumeInGb,
    cost: pod.cost,
    running_rate: pod.runningRate,
    stopped_rate: pod.stoppedRate,
    covered_gpus: pod.coveredGpus,
    round: pod.round,
    started_round: pod.startedRound,
    started_gpus: pod.startedGpus.join(),
    observed: pod.observed,
    start_at: pod.startAt,
    created_at: pod.createdAt,
    stop_after: pod.stopAfter,
    terminate_after: pod.terminateAfter,
  };
}
