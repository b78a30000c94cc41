// A client takes a public key from the account. Pods that run have been told of it.

import { Fault } from "../../domain/fault.ts";
import { deleteSshKey } from "../../store/ssh-key/ssh-key.ts";
import type { Store } from "../../store/store.ts";

export async function deleteSshKeyOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  if (await store.write(deleteSshKey, id, accountId)) return;
  throw new Fault("ssh_key_not_found", { id });
}
