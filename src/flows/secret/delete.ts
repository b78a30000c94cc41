// Deleting a secret. Workloads that refer to it can no longer be started.

import type { Store } from "../../store/engine/store.ts";
import { removeSecret } from "../../transactions/secret/write.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function deleteSecretOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeSecret, accountId, id));
}
