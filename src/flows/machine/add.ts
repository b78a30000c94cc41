// The operator adds a machine at an address of its own. It is kept; some replica then attends it, and
// says what it found.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type RemoteMachine,
  type RemoteOffer,
  type RemoteSecrets,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import { remoteMistakes } from "../../domain/machine/wishes.ts";
import { insertRemote } from "../../store/replica/remote-machine.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "../account/operator.ts";

export interface NewMachine {
  address: string;
  name: string;
  secrets: RemoteSecrets;
  offer: RemoteOffer;
}

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  catalog: Catalog;
}

export async function addMachine(
  { store, clock, ids, vault, catalog }: Deps,
  accountId: string,
  { address, name, secrets, offer }: NewMachine,
): Promise<string> {
  const mistakes = remoteMistakes(catalog, address, secrets, offer);
  if (mistakes.length > 0) throw new Fault("invalid_body", { detail: mistakes.join(" ") });
  const id = ids.short(14);
  const sealed = vault.seal(JSON.stringify(secrets), remoteOwner(id));
  const unseen = { hostKey: null, wayBackPort: null, trouble: null };
  const machine = { id, name, address, secrets: sealed, offer, addedAt: clock.now(), ...unseen };
  const fault = await store.write(add, accountId, machine);
  if (fault) throw fault;
  return id;
}

function* add(accountId: string, machine: RemoteMachine): Verb<Fault | null> {
  const refusal = yield* mustBeOperator(accountId);
  if (refusal) return refusal;
  if (yield* insertRemote(machine)) return null;
  return new Fault("machine_known", { address: machine.address });
}
