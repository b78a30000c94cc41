// Adding a remote machine by the operator. A replica then connects to it in the background and records
// what it finds.

import type { Vault } from "../../base/vault.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { validateRemote } from "../../domain/machine/machine-request.ts";
import {
  type RemoteMachine,
  type RemoteOffer,
  type RemoteSecrets,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import { addRemoteMachine } from "../../transactions/machine/add.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface NewMachine {
  address: string;
  name: string;
  secrets: RemoteSecrets;
  offer: RemoteOffer;
}

export interface AddDeps extends FlowDeps {
  vault: Vault;
  catalog: Catalog;
}

export async function addMachine(
  deps: AddDeps,
  accountId: string,
  desired: NewMachine,
): Promise<string> {
  const { address, secrets, offer } = desired;
  const errors = validateRemote(deps.catalog, address, secrets, offer);
  if (errors.length > 0) throw new Fault("invalid_body", { detail: errors.join(" ") });
  const machine = sealedMachine(deps, desired);
  await throwRefusal(deps.store.write(addRemoteMachine, accountId, machine));
  return machine.id;
}

/** The new machine's row, with encrypted credentials. */
export function sealedMachine(
  { clock, ids, vault }: Pick<AddDeps, "clock" | "ids" | "vault">,
  { secrets, ...desired }: NewMachine,
): RemoteMachine {
  const id = ids.short(14);
  const sealed = vault.seal(JSON.stringify(secrets), remoteOwner(id));
  const observations = { hostKey: null, wayBackPort: null, trouble: null };
  return { id, ...desired, secrets: sealed, addedAt: clock.now(), ...observations };
}
