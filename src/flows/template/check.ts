// What every flow that keeps a template asks of it first.

import { Fault } from "../../domain/fault.ts";
import { templateMistakes } from "../../domain/template/mistakes.ts";
import type { TemplateSpec } from "../../domain/template/template.ts";

/** The fault that names everything wrong with it, or null. */
export function checkTemplate(spec: TemplateSpec): Fault | null {
  const mistakes = templateMistakes(spec);
  return mistakes.length > 0 ? new Fault("invalid_body", { detail: mistakes.join(" ") }) : null;
}
