// Official templates: every account can read and use them, and no account can change them. They are
// data of the service and have no rows.

import { noLabels } from "../label/labels.ts";
import type { Template, TemplateSpec } from "./template.ts";

export interface OfficialTemplate {
  id: string;
  /** Further ids that it is found by. */
  aliases: string[];
  name: string;
  spec: TemplateSpec;
}

/** The account id of official templates: none has this id. */
const NO_ACCOUNT = "";

export const isOfficial = ({ accountId }: Pick<Template, "accountId">) => accountId === NO_ACCOUNT;

export class OfficialTemplates {
  #all: Template[] = [];
  #byName = new Map<string, Template>();

  constructor(templates: OfficialTemplate[]) {
    this.replace(templates);
  }

  get all(): readonly Template[] {
    return this.#all;
  }

  /** A later template has an alias that an earlier one has too. */
  replace(templates: OfficialTemplate[]): void {
    const all = templates.map(({ id, name, spec }) => ({ id, name, spec, ...UNOWNED }));
    const byName = new Map<string, Template>();
    for (const [at, { aliases }] of templates.entries()) {
      // Under an alias it reads as that alias, so that a client finds the id that it asked for.
      for (const alias of aliases) byName.set(alias, { ...all[at]!, id: alias });
    }
    for (const template of all) byName.set(template.id, template);
    this.#all = all;
    this.#byName = byName;
  }

  /** Its settings as a template of an account, under the id that was asked for. */
  copyFor(accountId: string, id: string | null | undefined): Template | undefined {
    const template = this.find(id);
    return template && { ...template, accountId, spec: { ...template.spec, isPublic: false } };
  }

  /** Finds a template by an id or an alias. */
  find(id: string | null | undefined): Template | undefined {
    return this.#byName.get(id ?? "");
  }
}

const UNOWNED = { labels: noLabels, accountId: NO_ACCOUNT, createdAt: 0 };
