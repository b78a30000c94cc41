// Reading a template of the account, an official one, or a public template of another account.

import { Fault } from "../../domain/fault.ts";
import { noLabels } from "../../domain/label/labels.ts";
import type { OfficialTemplates } from "../../domain/template/official.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Store } from "../../store/engine/store.ts";
import { findTemplate } from "../../store/template/template.ts";

/** Which templates besides the account's own. */
export interface Beyond {
  public: boolean;
  official: boolean;
}

export const ANY_TEMPLATE: Beyond = { public: true, official: true };

interface Deps {
  store: Store;
  officialTemplates: OfficialTemplates;
}

export async function readableTemplate(
  { store, officialTemplates }: Deps,
  accountId: string,
  id: string,
  beyond: Beyond,
): Promise<Template> {
  const official = officialTemplates.find(id);
  if (official && beyond.official) return official;
  const template = await store.read(findTemplate, id);
  if (template?.accountId === accountId) return template;
  if (template?.spec.isPublic && beyond.public) return asOthersSee(template);
  throw new Fault("template_not_found", { id });
}

/** Accounts do not see each other's members and labels. */
export const asOthersSee = ({ owner: _, ...template }: Template): Template => {
  return { ...template, labels: noLabels };
};

/** Throws if the template is an official one, which no account can change. */
export function refuseOfficial(
  { officialTemplates }: Pick<Deps, "officialTemplates">,
  id: string,
): void {
  if (officialTemplates.find(id)) throw new Fault("template_official", { id });
}
