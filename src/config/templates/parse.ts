// Official templates from texts in YAML or JSON, checked by their schema.

import { load, loadAll } from "js-yaml";
import type { PortLimits } from "../../domain/container/ports.ts";
import type { OfficialTemplate } from "../../domain/template/official.ts";
import { defaultTemplate } from "../../domain/template/template.ts";
import { checkerOf, sentenceOf } from "../../edge/management/serve/validation-errors.ts";
import { withPodRules } from "../../edge/management/template/pod-rules.ts";
import { checkTemplate } from "../../flows/template/check.ts";
import { type OfficialTemplateForm, officialTemplateForm } from "./form.ts";

const check = checkerOf(officialTemplateForm);

/** A text with one template. The result is the template, or a sentence for each error. */
export function parseTemplate(text: string, portLimits: PortLimits): OfficialTemplate | string[] {
  try {
    return templateFrom(load(text), portLimits);
  } catch (error) {
    return [unreadable(error)];
  }
}

/** A text with a list of templates, or with several documents. Appends to `errors`. */
export function parseTemplates(
  text: string,
  portLimits: PortLimits,
  errors: string[],
): OfficialTemplate[] {
  try {
    const entries = loadAll(text).flat();
    if (entries.length === 0) errors.push("it has no templates");
    return entries.flatMap((entry, at) => {
      const template = templateFrom(entry, portLimits);
      if (!Array.isArray(template)) return template;
      errors.push(...template.map((sentence) => `${nameOf(entry, at)}: ${sentence}`));
      return [];
    });
  } catch (error) {
    errors.push(unreadable(error));
    return [];
  }
}

const unreadable = (error: unknown) =>
  `it cannot be read: ${(error as Error).message.split("\n")[0]}`;

function nameOf(entry: unknown, at: number): string {
  const id = (entry as { id?: unknown } | null)?.id;
  return typeof id === "string" ? `entry ${at + 1}, "${id}"` : `entry ${at + 1}`;
}

function templateFrom(form: unknown, portLimits: PortLimits): OfficialTemplate | string[] {
  const wrong = check(form);
  if (wrong) {
    const unknown = wrong.unknown.map((each) => `"${each.path}" is not known`);
    return [...unknown, ...wrong.others.map(sentenceOf)];
  }
  const { id, aliases = [], name, ...settings } = form as OfficialTemplateForm;
  const spec = {
    ...defaultTemplate(settings.imageName),
    ...withPodRules(settings),
    isPublic: true,
  };
  const refusal = checkTemplate(portLimits, spec);
  return refusal ? [refusal.message] : { id, aliases, name, spec };
}
