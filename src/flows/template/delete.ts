// Deleting a template that is not in use.

import type { OfficialTemplates } from "../../domain/template/official.ts";
import type { Store } from "../../store/engine/store.ts";
import { deleteOwnTemplate } from "../../transactions/template/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { refuseOfficial } from "./find.ts";

export async function deleteTemplateOf(
  { store, officialTemplates }: { store: Store; officialTemplates: OfficialTemplates },
  accountId: string,
  id: string,
): Promise<void> {
  refuseOfficial({ officialTemplates }, id);
  await throwRefusal(store.write(deleteOwnTemplate, accountId, id));
}
