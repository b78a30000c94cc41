// Deleting a secret. Workloads that refer to it can no longer be started.

import { Fault } from "../../domain/fault.ts";
import type { Store } from "../../store/engine/store.ts";
import { deleteSecret } from "../../store/secret/secret.ts";

export async function deleteSecretOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  if (await store.write(deleteSecret, id, accountId)) return;
  throw new Fault("secret_not_found", { id });
}
