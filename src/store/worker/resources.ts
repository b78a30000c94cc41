// What workers take of their machines.

import type { Tenant } from "../../domain/placement/evict.ts";
import type { DesiredState } from "../../domain/worker/worker.ts";
import { numbers } from "../engine/row/columns.ts";
import { rows, type Tx } from "../engine/statement.ts";

export interface Use {
  machine: string;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
}

/** What workers take of each machine; of all machines, or only the one that is named. */
export function* workerUse(machine: string | null): Tx<Use[]> {
  const only = machine ?? "";
  const found = yield* rows<Use>(
    `select machine, sum(vcpus) as vcpus, sum(memory_mb) as "memoryMb", sum(disk_gb) as "diskGb"
     from worker where (? = '' or machine = ?) and observed <> 'ended' and vcpus > 0
     group by machine`,
    only,
    only,
  );
  return found.map((use) => ({
    machine: use.machine,
    vcpus: Number(use.vcpus),
    memoryMb: Number(use.memoryMb),
    diskGb: Number(use.diskGb),
  }));
}

export interface PlacedWorker extends Tenant {
  endpointId: string;
  desired: DesiredState;
}

/** Live workers with what they hold of their machines, without those that hold nothing. */
export function* placedWorkers(): Tx<PlacedWorker[]> {
  const found = yield* rows<
    Omit<PlacedWorker, "virtual" | "gpus"> & { virtual: number; gpus: string }
  >(
    `select id, endpoint_id as "endpointId", desired, machine, created_at as since, vcpus,
       memory_mb as "memoryMb", disk_gb as "diskGb", gpu_type_id as "gpuTypeId", virtual, gpus
     from worker where observed <> 'ended' and (vcpus > 0 or gpus <> '')`,
  );
  return found.map(({ virtual, gpus, ...worker }) => {
    return { ...worker, virtual: virtual === 1, gpus: numbers(gpus) };
  });
}

/** The workers among these that have not ended. */
export function* liveWorkers(ids: readonly string[]): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from worker where observed <> 'ended' and id in (${ids.map(() => "?").join(", ")})`,
    ...ids,
  );
  return found.map(({ id }) => id);
}

/** The workers among these that have GPUs of the machine, ended ones too. */
export function* workersWithGpus(
  machine: string,
  ids: readonly string[],
): Tx<{ id: string; gpus: number[] }[]> {
  const found = yield* rows<{ id: string; gpus: string }>(
    `select id, gpus from worker where machine = ? and gpus <> ''
       and id in (${ids.map(() => "?").join(", ")})`,
    machine,
    ...ids,
  );
  return found.map(({ id, gpus }) => ({ id, gpus: numbers(gpus) }));
}

/** Ended workers of a machine whose release mounts this network volume. */
export function* endedWorkersMounting(machine: string, volumeId: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select worker.id from worker join release on release.endpoint_id = worker.endpoint_id
       and release.version = worker.version
     where worker.machine = ? and worker.observed = 'ended' and release.workload like ?`,
    machine,
    `%"${volumeId}"%`,
  );
  return found.map(({ id }) => id);
}
