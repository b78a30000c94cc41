// Listing the templates of an account.

import type { OfficialTemplates } from "../../domain/template/official.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  listTemplates,
  publicTemplates,
  type TemplateFilter,
  templatesAfter,
} from "../../store/template/template.ts";
import { BEFORE_ALL, type Page, type PageRequest, pageOf } from "../page.ts";

/** Official templates follow the others. */
export async function templatesOf(
  { store, officialTemplates }: { store: Store; officialTemplates: OfficialTemplates },
  { official, ...filter }: TemplateFilter & { official: boolean },
): Promise<Template[]> {
  const found = await store.read(listTemplates, filter);
  return official ? [...found, ...officialTemplates.all] : found;
}

/** The account's own templates that no endpoint uses, newest first. */
export async function templatePage(
  { store }: { store: Store },
  accountId: string,
  { after, limit }: PageRequest,
): Promise<Page<Template>> {
  const found = await store.read(templatesAfter, accountId, after ?? BEFORE_ALL, limit + 1);
  return pageOf(found, limit);
}

/** Public templates of all accounts, newest first. */
export async function publicTemplatesOf(
  { store }: { store: Store },
  limit: number,
): Promise<Template[]> {
  return store.read(publicTemplates, limit);
}
