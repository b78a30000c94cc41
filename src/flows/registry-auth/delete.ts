// Deleting a container registry auth that no Pod and no endpoint uses. It is removed from templates
// that no endpoint uses.

import type { Store } from "../../store/engine/store.ts";
import { deleteOwnRegistryAuth } from "../../transactions/registry-auth/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function deleteRegistryAuthOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteOwnRegistryAuth, accountId, id));
}
