// Deleting an SSH key. Running Pods keep it until their next start.

import type { Store } from "../../store/engine/store.ts";
import { removeSshKey } from "../../transactions/ssh-key/write.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function deleteSshKeyOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeSshKey, accountId, id));
}
