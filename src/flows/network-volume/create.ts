// A client creates a network volume. It takes no disk until something uses it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { type Catalog, idsOf } from "../../domain/catalog/catalog.ts";
import { unknownNames } from "../../domain/catalog/unknown-names.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Owned } from "../../domain/member/member.ts";
import {
  type NetworkVolume,
  type VolumeTerms,
  volumeTermsOf,
} from "../../domain/network-volume/network-volume.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { addVolume } from "../../transactions/network-volume/write.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface NewVolume extends Owned, Partial<VolumeTerms> {
  accountId: string;
  name: string;
  size: number;
  type?: NetworkVolume["type"];
  dataCenterId: string;
  once: IdempotencyKey | null;
}

export async function createVolume(
  { store, clock, ids, catalog }: { store: Store; clock: Clock; ids: Ids; catalog: Catalog },
  newVolume: NewVolume,
): Promise<NetworkVolume> {
  const { once, accountId, owner, size, type = "STANDARD" } = newVolume;
  const dataCenterId = newVolume.dataCenterId.toUpperCase();
  requireDataCenter(catalog, dataCenterId);
  const volume: NetworkVolume = {
    id: ids.short(10),
    accountId,
    owner,
    ...volumeTermsOf(newVolume),
    size,
    type,
    dataCenterId,
    machine: null,
    virtual: false,
    createdAt: clock.now(),
  };
  return throwRefusal(store.write(createVolumeOnce, catalog, once, volume));
}

/** Throws the fault that names the data centers if there is no such one. */
export function requireDataCenter({ dataCenters }: Catalog, id: string): void {
  const [detail] = unknownNames("dataCenterId", [id], idsOf(dataCenters), "a data center");
  if (detail !== undefined) throw new Fault("invalid_body", { detail });
}

function* createVolumeOnce(
  catalog: Catalog,
  once: IdempotencyKey | null,
  volume: NetworkVolume,
): Tx<NetworkVolume | Fault> {
  return yield* createOnce(once, volume.createdAt, () => addVolume(catalog, volume));
}
