// Inserting and changing network volumes. An account pays for a volume as long as it exists.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { NetworkVolume, VolumeTerms } from "../../domain/network-volume/network-volume.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  changeVolume,
  insertVolume,
  lockVolume,
} from "../../store/network-volume/network-volume.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { requireMembership } from "../member/require-membership.ts";
import { requireLabelBudgets, spend } from "../money/spend.ts";
import { lockFreeDisk } from "../place/places.ts";
import { attributeVolume, meterVolume } from "./meter.ts";

export interface VolumeChanges extends Partial<VolumeTerms> {
  /** GB. */
  size?: number;
}

interface VolumeUpdate {
  accountId: string;
  id: string;
  changes: VolumeChanges;
}

export function* addVolume(catalog: Catalog, volume: NetworkVolume): Tx<NetworkVolume | Fault> {
  const { size, dataCenterId, createdAt } = volume;
  yield* lockPricesShared(catalog);
  const rate = networkVolumeRate(catalog, size);
  const refusal =
    (yield* requireMembership(volume)) ??
    (yield* hasNoMachine(dataCenterId)) ??
    (yield* spend(
      { ...volume, keyId: "", isCaller: true },
      { rate, adds: { volumeGb: size, rate } },
      createdAt,
    ));
  if (refusal) return refusal;
  yield* insertVolume(volume);
  yield* meterVolume(volume, rate, createdAt);
  return volume;
}

/** A volume in a data center without machines could never be used. */
function* hasNoMachine(dataCenterId: string): Tx<Fault | null> {
  const centers = (yield* knownMachines()).map(({ inventory }) => inventory.dataCenterId);
  if (centers.some((center) => center === null || center === dataCenterId)) return null;
  const available = [...new Set(centers)].sort().join(", ");
  const detail = `No machine is in ${dataCenterId}; "dataCenterId" can be ${available}.`;
  return new Fault("not_offered", { detail });
}

export function* saveVolume(
  { heartbeatTiming, catalog }: { heartbeatTiming: HeartbeatTiming; catalog: Catalog },
  { accountId, id, changes }: VolumeUpdate,
  now: number,
): Tx<NetworkVolume | Fault> {
  const { size } = changes;
  const before = yield* lockVolume(id);
  if (before?.accountId !== accountId) return new Fault("network_volume_not_found", { id });
  const volume = { ...before, ...changes };
  const spentLabel = yield* requireLabelBudgets(before, volume.labels, now);
  if (spentLabel) return spentLabel;
  if (size !== undefined) {
    yield* lockPricesShared(catalog);
    const rate = networkVolumeRate(catalog, size);
    const more = rate - networkVolumeRate(catalog, before.size);
    const adds = { volumeGb: size - before.size, rate: more };
    const refusal =
      (yield* cannotGrow(before, size, now - heartbeatTiming.goneMs)) ??
      (yield* spend({ ...volume, keyId: "" }, { rate: more, adds }, now));
    if (refusal) return refusal;
    yield* meterVolume(volume, rate, now);
  }
  yield* attributeVolume(volume, now);
  yield* changeVolume(volume);
  return volume;
}

function* cannotGrow(before: NetworkVolume, size: number, since: number): Tx<Fault | null> {
  if (size <= before.size) {
    const detail = `"size" is ${size}; a network volume of ${before.size} GB can only grow.`;
    return new Fault("invalid_body", { detail });
  }
  if (before.machine === null || before.virtual) return null;
  const free = yield* lockFreeDisk({ machine: before.machine, since, except: null });
  const more = size - before.size;
  if (free === null || free >= more) return null;
  return new Fault("no_disk", { machine: before.machine, free: Math.max(0, free), more });
}
