// Deleting a template that is not in use.

import type { Store } from "../../store/engine/store.ts";
import { deleteOwnTemplate } from "../../transactions/template/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function deleteTemplateOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteOwnTemplate, accountId, id));
}
