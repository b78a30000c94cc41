// What machines have free for Pods, and the taking of it. Two who decide at the same time cannot both
// have it: whoever has decided locks the machine and looks at it once more.

import type { Inventory } from "../../domain/machine/inventory.ts";
import { decidePlacement, type Placement } from "../../domain/placement/decide.ts";
import { type Place, placeOf } from "../../domain/placement/place.ts";
import type { PlacementWish } from "../../domain/placement/wish.ts";
import { row, rows, type Verb } from "../statement.ts";

/** Where to look: machines heard of since an instant, or the one that has the Pod's volume. */
export interface Search {
  since: number;
  machine: string | null;
  /** Whose own disk on that machine does not count against it. */
  except: string | null;
}

/** Decides, and holds the machine it decided on until the surrounding turn is committed. */
export function* takePlace(wish: PlacementWish, search: Search): Verb<Placement> {
  for (;;) {
    const places = yield* placesOf(search);
    const found = decidePlacement(wish, places);
    if (!("placed" in found)) return found;
    const { machine } = found.placed;
    yield* row("select 1 from replica where machine = ? /*+ for update */", machine);
    const sure = decidePlacement(wish, yield* placesOf({ ...search, machine }));
    if ("placed" in sure) return sure;
    // Somebody was quicker, and what he took is seen by now: the next look decides otherwise.
  }
}

/** GB that nobody has on a machine, which is held for the turn; null where it is not there. */
export function* lockFreeDisk(search: Search & { machine: string }): Verb<number | null> {
  yield* row("select 1 from replica where machine = ? /*+ for update */", search.machine);
  const [place] = yield* placesOf(search);
  return place ? place.free.diskGb : null;
}

/** Disk counts as long as there is a volume; all else while the Pod is to run. */
export function* placesOf({ since, machine, except }: Search): Verb<Place[]> {
  const only = machine ?? "";
  const found = yield* rows<{ machine: string; drivers: string; inventory: string }>(
    `select machine, drivers, inventory from replica where (? = '' or machine = ?)
       and seen_at > ? and stopped_at is null order by machine`,
    only,
    only,
    since,
  );
  const sums = yield* rows<{ machine: string; vcpus: number; memory: number; disk: number }>(
    `select machine, sum(case when state = 'RUNNING' then vcpus else 0 end) as vcpus,
       sum(case when state = 'RUNNING' then memory_mb else 0 end) as memory,
       sum(volume_gb + case when state = 'RUNNING' then container_gb else 0 end) as disk
     from pod where (? = '' or machine = ?) and virtual = 0 and state <> 'TERMINATED' and id <> ?
     group by machine`,
    only,
    only,
    except ?? "",
  );
  const volumes = yield* rows<{ machine: string; disk: number }>(
    `select machine, sum(size) as disk from network_volume
     where machine is not null and (? = '' or machine = ?) and virtual = 0 group by machine`,
    only,
    only,
  );
  const gpus = yield* rows<{ machine: string; gpu: number }>(
    "select machine, gpu from pod_gpu where ? = '' or machine = ?",
    only,
    only,
  );
  const sumOf = new Map(sums.map((each) => [each.machine, each]));
  const volumesOf = new Map(volumes.map((each) => [each.machine, Number(each.disk)]));
  const gpusOf = Map.groupBy(gpus, (each) => each.machine);
  return found.map(({ machine, drivers, inventory }) => {
    const sum = sumOf.get(machine);
    const taken = {
      vcpus: Number(sum?.vcpus ?? 0),
      memoryMb: Number(sum?.memory ?? 0),
      diskGb: Number(sum?.disk ?? 0) + (volumesOf.get(machine) ?? 0),
      gpus: new Set(gpusOf.get(machine)?.map(({ gpu }) => gpu)),
    };
    return placeOf(machine, drivers.split(","), JSON.parse(inventory) as Inventory, taken);
  });
}
