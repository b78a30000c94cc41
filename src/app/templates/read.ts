// The official templates at the start of the service: the gallery that comes with Freehold, and the
// operator's folder. A file of the folder whose id the gallery has replaces that template.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import type { PortLimits } from "../../domain/pod/container/ports.ts";
import { defaultTemplate } from "../../domain/template/defaults.ts";
import { type OfficialTemplate, OfficialTemplates } from "../../domain/template/official.ts";
import { checkerOf, sentenceOf } from "../../edge/rest-v1/serve/validation-errors.ts";
import { checkTemplate } from "../../flows/template/check.ts";
import { type OfficialTemplateForm, officialTemplateForm } from "./form.ts";

const GALLERY = path.join(import.meta.dirname, "gallery");

const check = checkerOf(officialTemplateForm);

/** Appends to `errors` what is wrong with the operator's files. */
export function readOfficialTemplates(
  folder: string | null,
  { cwd, portLimits }: { cwd: string; portLimits: PortLimits },
  errors: string[],
): OfficialTemplates {
  const gallery = readFolder(GALLERY, portLimits, errors);
  if (folder === null) return new OfficialTemplates(gallery);
  const own = readFolder(path.resolve(cwd, folder), portLimits, errors);
  errors.push(...repeatedNames(own));
  const replaced = new Set(own.map(({ id }) => id));
  const all = [...gallery.filter(({ id }) => !replaced.has(id)), ...own];
  errors.push(...hiddenAliases(all));
  return new OfficialTemplates(all);
}

function readFolder(folder: string, portLimits: PortLimits, errors: string[]): OfficialTemplate[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
    return names.sort().flatMap((name) => {
      const file = path.join(folder, name);
      const template = readFile(file, portLimits);
      if (!Array.isArray(template)) return template;
      errors.push(...template.map((sentence) => `the template ${file}: ${sentence}`));
      return [];
    });
  } catch (error) {
    errors.push(`FREEHOLD_TEMPLATES must be a folder: ${(error as Error).message}`);
    return [];
  }
}

/** The template, or a sentence for each error. */
function readFile(file: string, portLimits: PortLimits): OfficialTemplate | string[] {
  try {
    const form: unknown = load(readFileSync(file, "utf8"));
    const wrong = check(form);
    if (wrong) {
      const unknown = wrong.unknown.map((each) => `"${each.path}" is not known`);
      return [...unknown, ...wrong.others.map(sentenceOf)];
    }
    const template = templateFrom(form as OfficialTemplateForm);
    const refusal = checkTemplate(portLimits, template.spec);
    return refusal ? [refusal.message] : template;
  } catch (error) {
    return [`it cannot be read: ${(error as Error).message.split("\n")[0]}`];
  }
}

function templateFrom({ id, aliases = [], name, ...settings }: OfficialTemplateForm) {
  const spec = { ...defaultTemplate(settings.imageName), ...settings, isPublic: true };
  return { id, aliases, name, spec };
}

/** Within the operator's folder an id or an alias names one template. */
function repeatedNames(own: OfficialTemplate[]): string[] {
  const names = own.flatMap(({ id, aliases }) => [id, ...aliases]);
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) < at));
  return [...repeated].map(
    (name) => `FREEHOLD_TEMPLATES has "${name}" as an id or an alias more than once`,
  );
}

/** An id always wins over an alias, so that such an alias would never be found. */
function hiddenAliases(all: OfficialTemplate[]): string[] {
  const ids = new Set(all.map(({ id }) => id));
  return all.flatMap(({ id, aliases }) =>
    aliases
      .filter((alias) => ids.has(alias) && alias !== id)
      .map((alias) => `the template "${id}" has the alias "${alias}", which is another's id`),
  );
}
