// A client deletes a template that nothing uses.

import { Fault } from "../../domain/fault.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { deleteTemplate, lockTemplate } from "../../store/template/template.ts";

export async function deleteTemplateOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<void> {
  const refusal = await store.write(drop, accountId, id);
  if (refusal) throw refusal;
}

function* drop(accountId: string, id: string): Verb<Fault | null> {
  const template = yield* lockTemplate(id);
  if (template?.accountId !== accountId) return new Fault("template_not_found", { id });
  const { usedBy } = yield* deleteTemplate(id);
  if (usedBy.length === 0) return null;
  const some = usedBy.slice(0, 5).join(", ");
  const users = usedBy.length > 5 ? `${some} and ${usedBy.length - 5} more endpoints` : some;
  return new Fault("template_in_use", { id, users: `endpoint ${users}` });
}
