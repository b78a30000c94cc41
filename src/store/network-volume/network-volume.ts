// Network volumes in the store.

import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  size: number;
  data_center_id: string;
  machine: string | null;
  virtual: number;
  created_at: number;
}

export function* insertVolume(volume: NetworkVolume): Verb<void> {
  yield* change(
    `insert into network_volume (id, account_id, name, size, data_center_id, created_at)
     values (?, ?, ?, ?, ?, ?)`,
    volume.id,
    volume.accountId,
    volume.name,
    volume.size,
    volume.dataCenterId,
    volume.createdAt,
  );
  yield* ringVolume(volume);
}

/** One that is not deleted. */
export function* findVolume(id: string): Verb<NetworkVolume | undefined> {
  const found = yield* row<Row>(
    "select * from network_volume where id = ? and deleted_at is null",
    id,
  );
  return found && fromRow(found);
}

/** The same, and nobody else changes, uses first or deletes it before the turn is committed. */
export function* lockVolume(id: string): Verb<NetworkVolume | undefined> {
  const found = yield* row<Row>(
    "select * from network_volume where id = ? and deleted_at is null /*+ for update */",
    id,
  );
  return found && fromRow(found);
}

/** The same for those who only name it: they do not wait for each other. */
export function* holdVolume(id: string): Verb<NetworkVolume | undefined> {
  const found = yield* row<Row>(
    "select * from network_volume where id = ? and deleted_at is null /*+ for share */",
    id,
  );
  return found && fromRow(found);
}

/** In the order of their making. */
export function* listVolumes(accountId: string): Verb<NetworkVolume[]> {
  const found = yield* rows<Row>(
    `select * from network_volume where account_id = ? and deleted_at is null
     order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** Those whose data is on a machine, deleted ones too. */
export function* volumesOn(machine: string): Verb<NetworkVolume[]> {
  const found = yield* rows<Row>(
    "select * from network_volume where machine = ? order by id",
    machine,
  );
  return found.map(fromRow);
}

export function* changeVolume(volume: NetworkVolume): Verb<void> {
  const { id, name, size } = volume;
  yield* change("update network_volume set name = ?, size = ? where id = ?", name, size, id);
  yield* ringVolume(volume);
}

export function* ringVolume({ id, accountId }: NetworkVolume): Verb<void> {
  yield* ring(topic.changed(accountId, "networkVolume", id));
}

/** Its first use: from now on its data is on this machine. It must be locked. */
export function* settleVolume(
  volume: NetworkVolume,
  machine: string,
  virtual: boolean,
): Verb<void> {
  yield* change(
    "update network_volume set machine = ?, virtual = ? where id = ? and machine is null",
    machine,
    Number(virtual),
    volume.id,
  );
  yield* ringVolume(volume);
}

function fromRow(found: Row): NetworkVolume {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    size: found.size,
    dataCenterId: found.data_center_id,
    machine: found.machine,
    virtual: found.virtual === 1,
    createdAt: found.created_at,
  };
}
