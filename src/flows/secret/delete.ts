// A client deletes a secret. What refers to it can no longer be started, and says so.

import { Fault } from "../../domain/fault.ts";
import { deleteSecret } from "../../store/secret/secret.ts";
import type { Store } from "../../store/store.ts";

export async function deleteSecretOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  if (await store.write(deleteSecret, id, accountId)) return;
  throw new Fault("secret_not_found", { id });
}
