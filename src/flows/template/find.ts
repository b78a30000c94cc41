// Reading a template of the account, or a public template of another account.

import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Store } from "../../store/engine/store.ts";
import { findTemplate } from "../../store/template/template.ts";

export async function readableTemplate(
  { store }: { store: Store },
  accountId: string,
  id: string,
  withPublic: boolean,
): Promise<Template> {
  const template = await store.read(findTemplate, id);
  if (template?.accountId === accountId) return template;
  if (template?.spec.isPublic && withPublic) return template;
  throw new Fault("template_not_found", { id });
}
