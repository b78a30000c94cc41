// Machines at an address of their own, in the store.

import type { RemoteMachine, RemoteOffer } from "../../domain/machine/remote.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { EVERYBODY, topic } from "../wakes.ts";

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

/** False where there is one at this address. */
export function* insertRemote(machine: RemoteMachine): Verb<boolean> {
  const made = yield* change(
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
  return made > 0;
}

function* changed(id: string): Verb<void> {
  yield* ring(topic.duties);
  yield* ring(topic.changed(EVERYBODY, "machine", id));
}

/** What its operator says of it; whoever attends it begins anew. */
export function* changeRemote(
  machine: Pick<RemoteMachine, "id" | "name" | "secrets" | "offer">,
): Verb<void> {
  yield* change(
    "update remote_machine set name = ?, secrets = ?, offer = ?, trouble = null where id = ?",
    machine.name,
    machine.secrets,
    JSON.stringify(machine.offer),
    machine.id,
  );
  yield* changed(machine.id);
}

export function* remoteMachines(): Verb<RemoteMachine[]> {
  return (yield* rows<Row>("select * from remote_machine order by added_at, id")).map(fromRow);
}

export function* findRemote(id: string): Verb<RemoteMachine | undefined> {
  const found = yield* row<Row>("select * from remote_machine where id = ?", id);
  return found && fromRow(found);
}

/** Nobody changes or removes it before the surrounding turn is committed. */
export function* lockRemote(id: string): Verb<RemoteMachine | undefined> {
  const found = yield* row<Row>("select * from remote_machine where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

/** Keeps the first host key that was seen; returns the one that is kept. */
export function* settleHostKey(id: string, seen: string): Verb<string> {
  yield* change(
    "update remote_machine set host_key = ? where id = ? and host_key is null",
    seen,
    id,
  );
  return (yield* findRemote(id))?.hostKey ?? seen;
}

/** It must be locked, and nothing may be there any more. */
export function* deleteRemote(id: string): Verb<void> {
  yield* change("delete from remote_machine where id = ?", id);
  yield* change("delete from replica where machine = ?", id);
  yield* changed(id);
}

/** The next one that is seen is kept. */
export function* forgetHostKey(id: string): Verb<void> {
  yield* change("update remote_machine set host_key = null, trouble = null where id = ?", id);
  yield* ring(topic.duties);
}

export function* keepWayBackPort(id: string, port: number): Verb<void> {
  yield* change("update remote_machine set way_back_port = ? where id = ?", port, id);
}

/** Null where there is none any more. */
export function* noteTrouble(id: string, trouble: string | null): Verb<void> {
  const told = yield* change(
    "update remote_machine set trouble = ? where id = ? and coalesce(trouble, '') <> ?",
    trouble,
    id,
    trouble ?? "",
  );
  if (told > 0) yield* ring(topic.changed(EVERYBODY, "machine", id));
}

function fromRow(found: Row): RemoteMachine {
  return {
    id: found.id,
    name: found.name,
    address: found.address,
    secrets: found.secrets,
    offer: JSON.parse(found.offer) as RemoteOffer,
    hostKey: found.host_key,
    wayBackPort: found.way_back_port === null ? null : Number(found.way_back_port),
    trouble: found.trouble,
    addedAt: Number(found.added_at),
  };
}
