// What accounts hold of the machines.

import { wholeGpus } from "../../domain/gpu-share/share-name.ts";
import { placeableVcpus } from "../../domain/machine/inventory.ts";
import {
  addHeld,
  type Held,
  heldByWorker,
  nothingHeld,
} from "../../domain/placement/fair-share.ts";
import type { HeldResources } from "../../domain/placement/hand-over.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { heldByPods } from "../../store/pod/resources.ts";
import { type MachineOffer, machineOffers } from "../../store/replica/offers.ts";
import { type PlacedWorker, placedWorkers } from "../../store/worker/resources.ts";

export interface MachineShares extends HeldResources {
  workers: PlacedWorker[];
}

/** What accounts hold, and what the machines that reported since an instant have. `accountOf` returns the account of an endpoint. */
export function* readStanding(
  since: number,
  accountOf: (endpointId: string) => string | undefined,
): Tx<MachineShares> {
  const [offers, workers, pods] = (yield* together<unknown>([
    machineOffers(null, since),
    placedWorkers(),
    heldByPods(),
  ])) as [MachineOffer[], PlacedWorker[], { accountId: string; held: Held }[]];
  const byAccount = new Map<string, Held>();
  const heldBy = (accountId: string) => byAccount.get(accountId) ?? nothingHeld;
  const add = (accountId: string, held: Held) =>
    byAccount.set(accountId, addHeld(heldBy(accountId), held));
  for (const { accountId, held } of pods) add(accountId, held);
  for (const worker of workers) add(accountOf(worker.endpointId) ?? "", heldByWorker(worker));
  const total = offers.map(capacityOf).reduce(addHeld, nothingHeld);
  return { total, heldBy, workers };
}

function capacityOf({ inventory }: MachineOffer): Held {
  const gpus = inventory.gpus.reduce(
    (sum, { gpuTypeId, indices }) => sum + wholeGpus(gpuTypeId, indices.length),
    0,
  );
  return { gpus, vcpus: placeableVcpus(inventory), memoryMb: inventory.memoryMb };
}
