// What machines have free, and the spot Pods on them that give way.

import type { Inventory } from "../../domain/machine/inventory.ts";
import { closedFor } from "../../domain/machine/upkeep.ts";
import type { Tenant } from "../../domain/placement/evict.ts";
import { type Place, placeOf } from "../../domain/placement/place.ts";
import { numbers } from "../pod/row.ts";
import { upkeepOf } from "../replica/inventory.ts";
import { row, rows, type Verb } from "../statement.ts";

/** Where to look: machines heard of since an instant, or the one that has the Pod's volume. */
export interface Search {
  since: number;
  machine: string | null;
  /** Whose own disk on that machine does not count against it. */
  except: string | null;
  /** The machines that come into question; left out, or null: all. */
  among?: ReadonlySet<string> | null;
  /** Machines that are in maintenance at this instant take nothing new; left out, that is no matter. */
  at?: number;
}

type Offered = { machine: string; drivers: string; inventory: string } & Parameters<
  typeof upkeepOf
>[0];

/** GB that nobody has on a machine, which is held for the turn; null where it is not there. */
export function* lockFreeDisk(search: Search & { machine: string }): Verb<number | null> {
  yield* row("select 1 from replica where machine = ? /*+ for update */", search.machine);
  const [place] = yield* placesOf(search);
  return place ? place.free.diskGb : null;
}

/** Disk counts as long as there is a volume; all else while the Pod is to run. */
export function* placesOf({ since, machine, except, among = null, at }: Search): Verb<Place[]> {
  const only = machine ?? "";
  const found = yield* rows<Offered>(
    `select machine, drivers, inventory, draining, maintenance_start, maintenance_end,
       maintenance_note from replica where (? = '' or machine = ?)
       and seen_at > ? and stopped_at is null order by machine`,
    only,
    only,
    since,
  );
  const sums = yield* rows<{ machine: string; vcpus: number; memory: number; disk: number }>(
    `select machine, sum(vcpus) as vcpus, sum(memory) as memory, sum(disk) as disk from (
       select machine, case when state = 'RUNNING' then vcpus else 0 end as vcpus,
         case when state = 'RUNNING' then memory_mb else 0 end as memory,
         volume_gb + case when state = 'RUNNING' then container_gb else 0 end as disk
       from pod where (? = '' or machine = ?) and virtual = 0 and state <> 'TERMINATED' and id <> ?
       union all
       select machine, vcpus, memory_mb, disk_gb from worker
       where (? = '' or machine = ?) and observed <> 'ended' and vcpus > 0
     ) as taken group by machine`,
    only,
    only,
    except ?? "",
    only,
    only,
  );
  const volumes = yield* rows<{ machine: string; disk: number }>(
    `select machine, sum(size) as disk from network_volume
     where machine is not null and (? = '' or machine = ?) and virtual = 0 group by machine`,
    only,
    only,
  );
  const gpus = yield* rows<{ machine: string; gpu: number }>(
    "select machine, gpu from held_gpu where ? = '' or machine = ?",
    only,
    only,
  );
  const sumOf = new Map(sums.map((each) => [each.machine, each]));
  const volumesOf = new Map(volumes.map((each) => [each.machine, Number(each.disk)]));
  const gpusOf = Map.groupBy(gpus, (each) => each.machine);
  const able = found.filter((each) => among === null || among.has(each.machine));
  return able.map(({ machine, drivers, inventory, ...upkeep }) => {
    const sum = sumOf.get(machine);
    const taken = {
      vcpus: Number(sum?.vcpus ?? 0),
      memoryMb: Number(sum?.memory ?? 0),
      diskGb: Number(sum?.disk ?? 0) + (volumesOf.get(machine) ?? 0),
      gpus: new Set(gpusOf.get(machine)?.map(({ gpu }) => gpu)),
    };
    const place = placeOf(machine, drivers.split(","), JSON.parse(inventory) as Inventory, taken);
    return { ...place, closed: closedFor(upkeepOf(upkeep), at ?? Number.NEGATIVE_INFINITY) };
  });
}

/** Spot Pods that run on a machine, or anywhere. What is on paper only gives back no more than that. */
export function* tenantsOf(machine: string | null): Verb<Tenant[]> {
  const only = machine ?? "";
  const found = yield* rows<{
    id: string;
    machine: string;
    changed_at: number;
    vcpus: number;
    memory_mb: number;
    container_gb: number;
    gpu_type_id: string | null;
    virtual: number;
    gpus: string;
  }>(
    `select id, machine, changed_at, vcpus, memory_mb, container_gb, gpu_type_id, virtual, gpus
     from pod where interruptible = 1 and state = 'RUNNING' and (? = '' or machine = ?)`,
    only,
    only,
  );
  return found.map((each) => {
    const virtual = each.virtual === 1;
    return {
      id: each.id,
      machine: each.machine,
      since: each.changed_at,
      vcpus: virtual ? 0 : each.vcpus,
      memoryMb: virtual ? 0 : each.memory_mb,
      diskGb: virtual ? 0 : each.container_gb,
      gpuTypeId: each.gpu_type_id,
      virtual,
      gpus: numbers(each.gpus),
    };
  });
}
