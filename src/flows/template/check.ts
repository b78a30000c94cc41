// What every flow that keeps a template asks of it first.

import { Fault } from "../../domain/fault.ts";
import { notOfferedByTemplates, templateMistakes } from "../../domain/template/mistakes.ts";
import type { TemplateSpec } from "../../domain/template/template.ts";

/** The fault that names everything wrong with it, or null. */
export function checkTemplate(spec: TemplateSpec): Fault | null {
  const mistakes = templateMistakes(spec);
  if (mistakes.length > 0) return new Fault("invalid_body", { detail: mistakes.join(" ") });
  const missing = notOfferedByTemplates(spec);
  return missing ? new Fault("not_offered", { detail: missing }) : null;
}
