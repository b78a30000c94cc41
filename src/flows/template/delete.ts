// A client deletes a template that nothing uses.

import { Fault } from "../../domain/fault.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { deleteTemplate, lockTemplate } from "../../store/template/template.ts";
import { usersOf } from "../users.ts";

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
  // What other accounts made of a public one is theirs: they have all that it said.
  const users = yield* usersOf(accountId, {
    pod: ({ templateId }) => templateId === id,
    endpoint: ({ templateId }) => templateId === id,
  });
  if (users !== null) return new Fault("template_in_use", { id, users });
  yield* deleteTemplate(template);
  return null;
}
