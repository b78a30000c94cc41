// What Pods take of their machines.

import { wholeGpus } from "../../domain/gpu-share/share-name.ts";
import type { Tenant } from "../../domain/placement/evict.ts";
import type { Held } from "../../domain/placement/fair-share.ts";
import { STARTS_BEFORE_YIELD, yieldingCauses } from "../../domain/pod/container/yield-place.ts";
import type { Borrower } from "../../domain/reservation/events.ts";
import { numbers } from "../engine/row/columns.ts";
import { rows, type Tx } from "../engine/statement.ts";

const causes = yieldingCauses.map((cause) => `'${cause}'`).join(", ");
const HOLDS_PLACE = `state = 'RUNNING' and not (observed = 'none'
  and failed_starts >= ${STARTS_BEFORE_YIELD} and coalesce(trouble_cause, '') in (${causes}))`;

/**
 * What Pods take of all machines, or only of the one that is named, without the Pod `except`. A Pod takes disk for
 * its volume as long as it exists, everything else only while it is desired to run and does not yield its
 * place.
 */
export function* podUse(
  machine: string | null,
  except: string | null,
): Tx<{ machine: string; vcpus: number; memoryMb: number; diskGb: number }[]> {
  const only = machine ?? "";
  const found = yield* rows<{ machine: string; vcpus: number; memory: number; disk: number }>(
    `select machine, sum(case when ${HOLDS_PLACE} then vcpus else 0 end) as vcpus,
       sum(case when ${HOLDS_PLACE} then memory_mb else 0 end) as memory,
       sum(volume_gb + case when ${HOLDS_PLACE} then container_gb else 0 end) as disk
     from pod where (? = '' or machine = ?) and virtual = 0 and state <> 'TERMINATED' and id <> ?
     group by machine`,
    only,
    only,
    except ?? "",
  );
  return found.map((use) => ({
    machine: use.machine,
    vcpus: Number(use.vcpus),
    memoryMb: Number(use.memory),
    diskGb: Number(use.disk),
  }));
}

/** The Pods among these that hold a place. */
export function* podsWithPlace(ids: readonly string[]): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from pod where ${HOLDS_PLACE} and id in (${ids.map(() => "?").join(", ")})`,
    ...ids,
  );
  return found.map(({ id }) => id);
}

/** What each Pod that holds a place takes of its machine. */
export function* heldByPods(): Tx<{ accountId: string; held: Held }[]> {
  const found = yield* rows<{
    account_id: string;
    vcpus: number;
    memory_mb: number;
    virtual: number;
    gpu_type_id: string | null;
    gpus: string;
  }>(
    `select account_id, vcpus, memory_mb, virtual, gpu_type_id, gpus from pod where ${HOLDS_PLACE}`,
  );
  return found.map(({ account_id, vcpus, memory_mb, virtual, gpu_type_id, gpus }) => {
    const real = virtual === 1 ? { vcpus: 0, memoryMb: 0 } : { vcpus, memoryMb: memory_mb };
    return {
      accountId: account_id,
      held: { gpus: wholeGpus(gpu_type_id, numbers(gpus).length), ...real },
    };
  });
}

export interface SpotTenant extends Tenant {
  name: string;
  accountId: string;
  ownerId: string | null;
}

/** Spot Pods that are desired to run; of all machines, or only the one that is named. */
export function* spotPods(machine: string | null): Tx<SpotTenant[]> {
  const only = machine ?? "";
  const found = yield* rows<{
    id: string;
    name: string;
    account_id: string;
    owner_id: string | null;
    machine: string;
    changed_at: number;
    vcpus: number;
    memory_mb: number;
    container_gb: number;
    gpu_type_id: string | null;
    virtual: number;
    gpus: string;
  }>(
    `select id, name, account_id, owner_id, machine, changed_at, vcpus, memory_mb, container_gb, gpu_type_id,
       virtual, gpus
     from pod where interruptible = 1 and state = 'RUNNING' and (? = '' or machine = ?)`,
    only,
    only,
  );
  return found.map((pod) => {
    const virtual = pod.virtual === 1;
    return {
      id: pod.id,
      name: pod.name,
      accountId: pod.account_id,
      ownerId: pod.owner_id,
      machine: pod.machine,
      since: pod.changed_at,
      // A Pod on simulated GPUs takes nothing real, so its eviction frees nothing real.
      vcpus: virtual ? 0 : pod.vcpus,
      memoryMb: virtual ? 0 : pod.memory_mb,
      diskGb: virtual ? 0 : pod.container_gb,
      gpuTypeId: pod.gpu_type_id,
      virtual,
      gpus: numbers(pod.gpus),
    };
  });
}

/** A Pod that holds GPUs of a type. */
export interface GpuPod extends Borrower {
  accountId: string;
  ownerId: string | null;
  gpuCount: number;
}

export function* podsOnGpuType(gpuTypeId: string): Tx<GpuPod[]> {
  const pods = yield* rows<
    Omit<GpuPod, "interruptible" | "gpuCount"> & { interruptible: number; gpus: string }
  >(
    `select id, name, machine, interruptible, gpus, account_id as "accountId", owner_id as "ownerId"
     from pod where ${HOLDS_PLACE} and gpu_type_id = ? and gpus <> '' order by id`,
    gpuTypeId,
  );
  return pods.map(({ interruptible, gpus, ...pod }) => ({
    ...pod,
    interruptible: interruptible === 1,
    gpuCount: numbers(gpus).length,
  }));
}

/** What is held by Pods whose containers do not run, so that nothing is billed of it yet. */
export function* gpusBeforeUse(): Tx<
  { accountId: string; ownerId: string | null; gpuTypeId: string; gpus: number }[]
> {
  const found = yield* rows<{
    accountId: string;
    ownerId: string | null;
    gpuTypeId: string | null;
    gpus: string;
  }>(
    `select account_id as "accountId", owner_id as "ownerId", gpu_type_id as "gpuTypeId", gpus from pod
     where ${HOLDS_PLACE} and observed <> 'running' and gpus <> ''`,
  );
  return found.map(({ gpuTypeId, gpus, ...pod }) => {
    return { ...pod, gpuTypeId: gpuTypeId ?? "", gpus: numbers(gpus).length };
  });
}

/**
 * The GPUs of containers that are no longer desired and may not have ended yet; of all machines, or only the
 * one that is named.
 */
export function* endingGpus(machine: string | null): Tx<{ machine: string; gpu: number }[]> {
  const only = machine ?? "";
  const found = yield* rows<{ machine: string; gpus: string }>(
    `select machine, started_gpus as gpus from pod
     where (? = '' or machine = ?) and started_gpus <> '' and observed in ('starting', 'running')
       and (state <> 'RUNNING' or started_round < round)`,
    only,
    only,
  );
  return found.flatMap((pod) => numbers(pod.gpus).map((gpu) => ({ machine: pod.machine, gpu })));
}

/** Pods of a machine with the GPUs that their last containers were started with. */
export function* podsStartedWithGpus(machine: string): Tx<{ id: string; gpus: number[] }[]> {
  const found = yield* rows<{ id: string; gpus: string }>(
    "select id, started_gpus as gpus from pod where machine = ? and started_gpus <> ''",
    machine,
  );
  return found.map(({ id, gpus }) => ({ id, gpus: numbers(gpus) }));
}
