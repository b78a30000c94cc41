// Deleting an SSH key. Running Pods keep it until their next start.

import { Fault } from "../../domain/fault.ts";
import type { Store } from "../../store/engine/store.ts";
import { deleteSshKey } from "../../store/ssh-key/ssh-key.ts";

export async function deleteSshKeyOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  if (await store.write(deleteSshKey, id, accountId)) return;
  throw new Fault("ssh_key_not_found", { id });
}
