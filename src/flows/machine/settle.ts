// The machines that the configuration names are there as it says: one that is not known is added, one
// that is known by its address is changed. Machines that it does not name are left alone, for somebody
// added them, or another server's configuration names them.

import type { Vault } from "../../base/vault.ts";
import { type RemoteMachine, remoteOwner } from "../../domain/machine/remote.ts";
import { changeRemote, insertRemote, remoteMachines } from "../../store/replica/remote-machine.ts";
import { type AddDeps, type NewMachine, sealedMachine } from "./add.ts";

export async function settleMachines(
  deps: Omit<AddDeps, "catalog">,
  wanted: readonly NewMachine[],
): Promise<void> {
  if (wanted.length === 0) return;
  const { store, vault } = deps;
  const known = new Map((await store.read(remoteMachines)).map((each) => [each.address, each]));
  for (const machine of wanted) {
    const there = known.get(machine.address);
    if (!there) await store.write(insertRemote, sealedMachine(deps, machine));
    else if (!isAs(there, machine, vault)) {
      const { name, offer } = machine;
      const secrets = vault.seal(JSON.stringify(machine.secrets), remoteOwner(there.id));
      await store.write(changeRemote, { id: there.id, name, secrets, offer });
    }
  }
}

function isAs(there: RemoteMachine, { name, secrets, offer }: NewMachine, vault: Vault): boolean {
  if (there.name !== name || JSON.stringify(there.offer) !== JSON.stringify(offer)) return false;
  try {
    return vault.open(there.secrets, remoteOwner(there.id)) === JSON.stringify(secrets);
  } catch {
    return false; // sealed with another key: it can be opened again now
  }
}
