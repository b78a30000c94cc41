// The network_volume table.

import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("network_volume");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  name: string;
  labels: string | null;
  size: number;
  type: NetworkVolume["type"];
  data_center_id: string;
  machine: string | null;
  virtual: number;
  created_at: number;
}

export function* insertVolume(volume: NetworkVolume): Tx<void> {
  yield* change(
    `insert into network_volume (id, account_id, name, labels, size, type, data_center_id, created_at, owner_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    volume.id,
    volume.accountId,
    volume.name,
    labelText(volume.labels),
    volume.size,
    volume.type,
    volume.dataCenterId,
    volume.createdAt,
    volume.owner?.id ?? null,
  );
  yield* notifyVolume(volume);
}

/** Deleted ones are not found. */
export function* findVolume(id: string): Tx<NetworkVolume | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from network_volume where id = ? and deleted_at is null`,
    id,
  );
  return found && fromRow(found);
}

/** Locks it until the surrounding transaction ends. */
export function* lockVolume(id: string): Tx<NetworkVolume | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from network_volume where id = ? and deleted_at is null /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

/**
 * Takes a shared lock: transactions that only refer to the volume do not wait for each
 * other.
 */
export function* lockVolumeShared(id: string): Tx<NetworkVolume | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from network_volume where id = ? and deleted_at is null /*+ for share */`,
    id,
  );
  return found && fromRow(found);
}

/** Oldest first. */
export function* listVolumes(accountId: string): Tx<NetworkVolume[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from network_volume where account_id = ? and deleted_at is null
     order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** Volumes whose data is on a machine, deleted ones too. */
export function* volumesOn(machine: string): Tx<NetworkVolume[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from network_volume where machine = ? order by id`,
    machine,
  );
  return found.map(fromRow);
}

export function* changeVolume(volume: NetworkVolume): Tx<void> {
  const { id, name, labels, size } = volume;
  yield* change(
    "update network_volume set name = ?, labels = ?, size = ? where id = ?",
    name,
    labelText(labels),
    size,
    id,
  );
  yield* notifyVolume(volume);
}

export function* notifyVolume({ id, accountId }: NetworkVolume): Tx<void> {
  yield* notify(topic.changed(accountId, "networkVolume", id));
}

/** At its first use: its data is on this machine from now on. It must be locked. */
export function* placeVolume(volume: NetworkVolume, machine: string, virtual: boolean): Tx<void> {
  yield* change(
    "update network_volume set machine = ?, virtual = ? where id = ? and machine is null",
    machine,
    Number(virtual),
    volume.id,
  );
  yield* notifyVolume(volume);
}

function fromRow(found: Row): NetworkVolume {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    labels: labelsFrom(found.labels),
    size: found.size,
    type: found.type,
    dataCenterId: found.data_center_id,
    machine: found.machine,
    virtual: found.virtual === 1,
    createdAt: found.created_at,
    ...ownerFrom(found),
  };
}

/** Disk that volumes take; of all machines, or only the one that is named. */
export function* volumeUse(
  machine: string | null,
): Tx<{ machine: string; vcpus: number; memoryMb: number; diskGb: number }[]> {
  const only = machine ?? "";
  const found = yield* rows<{ machine: string; disk: number }>(
    `select machine, sum(size) as disk from network_volume
     where machine is not null and (? = '' or machine = ?) and virtual = 0 group by machine`,
    only,
    only,
  );
  return found.map((use) => {
    return { machine: use.machine, vcpus: 0, memoryMb: 0, diskGb: Number(use.disk) };
  });
}

/** Hides a volume from clients; `purgeVolume` removes the row once its machine has removed the data. */
export function* markDeleted({ id }: NetworkVolume, now: number): Tx<void> {
  yield* change("update network_volume set deleted_at = ? where id = ?", now, id);
}

/** Volumes that are deleted and whose data is still on a machine. */
export function* deletedVolumesOn(machine: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    "select id from network_volume where machine = ? and deleted_at is not null order by id",
    machine,
  );
  return found.map(({ id }) => id);
}

/** Removes the row of a deleted volume. */
export function* purgeVolume(id: string): Tx<void> {
  yield* change("delete from network_volume where id = ? and deleted_at is not null", id);
}

/** The sizes of all volumes that are not deleted. */
export function* allVolumes(): Tx<Pick<NetworkVolume, "id" | "size">[]> {
  return yield* rows("select id, size from network_volume where deleted_at is null");
}
