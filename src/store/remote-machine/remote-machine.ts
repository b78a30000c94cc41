// The table `remote_machine`: machines that a replica manages over SSH or TLS.

import type { RemoteMachine, RemoteOffer } from "../../domain/machine/remote.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  name: string;
  address: string;
  secrets: string;
  offer: string;
  host_key: string | null;
  way_back_port: number | null;
  trouble: string | null;
  added_at: number;
}

const COLUMNS = columnList<Row>()(
  "id",
  "name",
  "address",
  "secrets",
  "offer",
  "host_key",
  "way_back_port",
  "trouble",
  "added_at",
);

/** False if there is a machine with this address. */
export function* insertRemote(machine: RemoteMachine): Tx<boolean> {
  const inserted = yield* change(
    `insert into remote_machine (id, name, address, secrets, offer, added_at)
     values (?, ?, ?, ?, ?, ?) on conflict (address) do nothing`,
    machine.id,
    machine.name,
    machine.address,
    machine.secrets,
    JSON.stringify(machine.offer),
    machine.addedAt,
  );
  yield* changed(machine.id);
  return inserted > 0;
}

function* changed(id: string): Tx<void> {
  yield* notify(topic.leaderships);
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", id));
}

/** Sets what the operator configures. The replica that manages the machine reconnects. */
export function* changeRemote(
  machine: Pick<RemoteMachine, "id" | "name" | "secrets" | "offer">,
): Tx<void> {
  yield* change(
    "update remote_machine set name = ?, secrets = ?, offer = ?, trouble = null where id = ?",
    machine.name,
    machine.secrets,
    JSON.stringify(machine.offer),
    machine.id,
  );
  yield* changed(machine.id);
}

export function* remoteMachines(): Tx<RemoteMachine[]> {
  return (yield* rows<Row>(`select ${COLUMNS} from remote_machine order by added_at, id`)).map(
    fromRow,
  );
}

export function* findRemote(id: string): Tx<RemoteMachine | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from remote_machine where id = ?`, id);
  return found && fromRow(found);
}

/** Reads a machine and locks it until the transaction commits. */
export function* lockRemote(id: string): Tx<RemoteMachine | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from remote_machine where id = ? /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

/** Pins the machine's host key unless one is pinned; returns the pinned one. */
export function* pinHostKey(id: string, hostKey: string): Tx<string> {
  yield* change(
    "update remote_machine set host_key = ? where id = ? and host_key is null",
    hostKey,
    id,
  );
  return (yield* findRemote(id))?.hostKey ?? hostKey;
}

export function* deleteRemote(id: string): Tx<void> {
  yield* change("delete from remote_machine where id = ?", id);
  yield* changed(id);
}

/** The next host key is pinned. */
export function* forgetHostKey(id: string): Tx<void> {
  yield* change("update remote_machine set host_key = null, trouble = null where id = ?", id);
  yield* notify(topic.leaderships);
}

export function* setCallbackPort(id: string, port: number): Tx<void> {
  yield* change("update remote_machine set way_back_port = ? where id = ?", port, id);
}

/** Sets why the machine is unreachable, in a sentence; null once it is reachable. */
export function* setTrouble(id: string, trouble: string | null): Tx<void> {
  const changes = yield* change(
    "update remote_machine set trouble = ? where id = ? and coalesce(trouble, '') <> ?",
    trouble,
    id,
    trouble ?? "",
  );
  if (changes > 0) yield* notify(topic.changed(ALL_ACCOUNTS, "machine", id));
}

/** Earlier versions named its simulated GPUs virtual. */
function offerIn(text: string): RemoteOffer {
  const { virtualGpus = {}, ...offer } = JSON.parse(text);
  return { simulatedGpus: virtualGpus, ...offer };
}

function fromRow(found: Row): RemoteMachine {
  return {
    id: found.id,
    name: found.name,
    address: found.address,
    secrets: found.secrets,
    offer: offerIn(found.offer),
    hostKey: found.host_key,
    wayBackPort: found.way_back_port === null ? null : Number(found.way_back_port),
    trouble: found.trouble,
    addedAt: Number(found.added_at),
  };
}
