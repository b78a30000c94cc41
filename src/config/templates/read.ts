// The official templates at the start of the service: the gallery that comes with Freehold, and the
// operator's. A template of the operator whose id the gallery has replaces that template.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { PortLimits } from "../../domain/container/ports.ts";
import { type OfficialTemplate, OfficialTemplates } from "../../domain/template/official.ts";
import { parseTemplate } from "./parse.ts";

const GALLERY = path.join(import.meta.dirname, "gallery");

/** What FREEHOLD_TEMPLATES names. */
export interface TemplateSource {
  /** A URL; null for a folder, or without the setting. */
  templatesUrl: string | null;
  officialTemplates: OfficialTemplates;
}

/** Appends to `errors` what is wrong. The templates of a URL are not read here. */
export function readTemplateSource(
  setting: string | null,
  { cwd, portLimits }: { cwd: string; portLimits: PortLimits },
  errors: string[],
): TemplateSource {
  const isUrl = /^https?:/i.test(setting ?? "");
  if (isUrl && (!URL.canParse(setting!) || new URL(setting!).username !== "")) {
    errors.push("FREEHOLD_TEMPLATES must be a folder, or a URL without a user name");
  }
  const own =
    setting === null || isUrl ? [] : readFolder(path.resolve(cwd, setting), portLimits, errors);
  const all = withGallery(own, portLimits, errors);
  return {
    templatesUrl: isUrl ? setting : null,
    officialTemplates: new OfficialTemplates(all),
  };
}

/** Appends to `errors` if an id or an alias would not lead to its template. */
export function withGallery(
  own: OfficialTemplate[],
  portLimits: PortLimits,
  errors: string[],
): OfficialTemplate[] {
  const gallery = readFolder(GALLERY, portLimits, errors);
  errors.push(...repeatedNames(own));
  const replaced = new Set(own.map(({ id }) => id));
  const all = [...gallery.filter(({ id }) => !replaced.has(id)), ...own];
  errors.push(...hiddenAliases(all));
  return all;
}

function readFolder(folder: string, portLimits: PortLimits, errors: string[]): OfficialTemplate[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
    return names.sort().flatMap((name) => {
      const file = path.join(folder, name);
      const template = parseTemplate(readFileSync(file, "utf8"), portLimits);
      if (!Array.isArray(template)) return template;
      errors.push(...template.map((sentence) => `the template ${file}: ${sentence}`));
      return [];
    });
  } catch (error) {
    errors.push(`FREEHOLD_TEMPLATES must be a folder or a URL: ${(error as Error).message}`);
    return [];
  }
}

/** Within the operator's templates an id or an alias names one template. */
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
