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

export interface AddDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  catalog: Catalog;
}

export async function addMachine(
  deps: AddDeps,
  accountId: string,
  wanted: NewMachine,
): Promise<string> {
  const { address, secrets, offer } = wanted;
  const mistakes = remoteMistakes(deps.catalog, address, secrets, offer);
  if (mistakes.length > 0) throw new Fault("invalid_body", { detail: mistakes.join(" ") });
  const machine = sealedMachine(deps, wanted);
  const fault = await deps.store.write(add, accountId, machine);
  if (fault) throw fault;
  return machine.id;
}

/** As it is kept: new, and with nothing that could be read of what opens it. */
export function sealedMachine(
  { clock, ids, vault }: Pick<AddDeps, "clock" | "ids" | "vault">,
  { secrets, ...wanted }: NewMachine,
): RemoteMachine {
  const id = ids.short(14);
  const sealed = vault.seal(JSON.stringify(secrets), remoteOwner(id));
  const unseen = { hostKey: null, wayBackPort: null, trouble: null };
  return { id, ...wanted, secrets: sealed, addedAt: clock.now(), ...unseen };
}

function* add(accountId: string, machine: RemoteMachine): Verb<Fault | null> {
  const refusal = yield* mustBeOperator(accountId);
  if (refusal) return refusal;
  if (yield* insertRemote(machine)) return null;
  return new Fault("machine_known", { address: machine.address });
}
