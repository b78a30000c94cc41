// Synchronization of configured machines: a new one is added, and an existing one with the same address
// is changed. Other machines are left alone: a client added them, or another replica configures them.

import { isDeepStrictEqual } from "node:util";
import type { Vault } from "../../base/vault.ts";
import { type RemoteMachine, remoteOwner } from "../../domain/machine/remote.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import {
  addConfiguredMachine,
  changeConfiguredMachine,
} from "../../transactions/machine/settle.ts";
import { type AddDeps, type NewMachine, sealedMachine } from "./add.ts";

export async function syncConfiguredMachines(
  deps: Omit<AddDeps, "catalog">,
  desired: readonly NewMachine[],
): Promise<void> {
  if (desired.length === 0) return;
  const { store, vault } = deps;
  const known = new Map((await store.read(remoteMachines)).map((each) => [each.address, each]));
  for (const machine of desired) {
    const existing = known.get(machine.address);
    if (!existing) await store.write(addConfiguredMachine, sealedMachine(deps, machine));
    else if (!isUnchanged(existing, machine, vault)) {
      const { name, offer } = machine;
      const secrets = vault.seal(JSON.stringify(machine.secrets), remoteOwner(existing.id));
      await store.write(changeConfiguredMachine, { id: existing.id, name, secrets, offer });
    }
  }
}

function isUnchanged(
  existing: RemoteMachine,
  { name, secrets, offer }: NewMachine,
  vault: Vault,
): boolean {
  // The order of the fields that were stored says nothing, nor does a field that is undefined.
  const stored = JSON.parse(JSON.stringify(offer)) as typeof offer;
  if (existing.name !== name || !isDeepStrictEqual(existing.offer, stored)) return false;
  try {
    return vault.open(existing.secrets, remoteOwner(existing.id)) === JSON.stringify(secrets);
  } catch {
    return false; // sealed with another key, so it is sealed again
  }
}
