// The deletion of a template that is not in use.

import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteTemplate, lockTemplate } from "../../store/template/template.ts";
import { findUsers } from "../account/find-users.ts";

export function* deleteOwnTemplate(accountId: string, id: string): Tx<Fault | null> {
  const template = yield* lockTemplate(id);
  if (template?.accountId !== accountId) return new Fault("template_not_found", { id });
  // Resources of other accounts have copied a public template's settings and do not count.
  const users = yield* findUsers(accountId, {
    pod: ({ templateId }) => templateId === id,
    endpoint: ({ templateId }) => templateId === id,
  });
  if (users !== null) return new Fault("template_in_use", { id, users });
  yield* deleteTemplate(template);
  return null;
}
