// A template that the account may read: its own, or one that another made public.

import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Store } from "../../store/store.ts";
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
