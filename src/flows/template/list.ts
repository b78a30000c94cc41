// Listing the templates of an account.

import { hasLabels } from "../../domain/label/labels.ts";
import type { OfficialTemplates } from "../../domain/template/official.ts";
import type { Template } from "../../domain/template/template.ts";
import type { ListFilter } from "../../store/engine/row/selection.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  listTemplates,
  publicTemplates,
  type TemplateFilter,
  templatesAfter,
} from "../../store/template/template.ts";
import { BEFORE_ALL, type Page, type PageRequest, pageOf } from "../page.ts";
import { asOthersSee } from "./find.ts";

/** Official templates follow the others. */
export async function templatesOf(
  { store, officialTemplates }: { store: Store; officialTemplates: OfficialTemplates },
  { official, ...filter }: TemplateFilter & { official: boolean },
): Promise<Template[]> {
  const listed = await store.read(listTemplates, filter);
  const isOwn = ({ accountId }: Template) => accountId === filter.accountId;
  const found = listed.map((template) => (isOwn(template) ? template : asOthersSee(template)));
  return official ? [...found, ...officialTemplates.all] : found;
}

/** The account's own templates that no endpoint uses, newest first. */
export async function templatePage(
  { store }: { store: Store },
  accountId: string,
  { after, limit }: PageRequest,
  filter: ListFilter,
): Promise<Page<Template>> {
  const selected = { after: after ?? BEFORE_ALL, limit: limit + 1, ...filter };
  const { items, next } = pageOf(await store.read(templatesAfter, accountId, selected), limit);
  return { items: items.filter(({ labels }) => hasLabels(labels, filter.labels)), next };
}

/** Public templates of all accounts, newest first. */
export async function publicTemplatesOf(
  { store }: { store: Store },
  limit: number,
): Promise<Template[]> {
  return (await store.read(publicTemplates, limit)).map(asOthersSee);
}
