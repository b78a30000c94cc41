// The templates that an account finds.

import type { Template } from "../../domain/template/template.ts";
import type { Store } from "../../store/store.ts";
import { listTemplates, type TemplateFilter } from "../../store/template/template.ts";

export async function templatesOf(
  { store }: { store: Store },
  filter: TemplateFilter,
): Promise<Template[]> {
  return store.read(listTemplates, filter);
}
