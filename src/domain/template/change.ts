// Changes of a template by a request, and which of them need new workers.

import { isDeepStrictEqual } from "node:util";
import type { Labels } from "../label/labels.ts";
import { inPlace, type Template, type TemplateSpec } from "./template.ts";

export type TemplateChanges = Partial<TemplateSpec> & { name?: string; labels?: Labels };

export interface ChangedTemplate {
  template: Template;
  /** Changed settings that need new workers. */
  released: (keyof TemplateSpec)[];
}

export function changeTemplate(template: Template, changes: TemplateChanges): ChangedTemplate {
  const { name = template.name, labels = template.labels, ...settings } = changes;
  const spec: TemplateSpec = { ...template.spec, ...settings };
  const released = (Object.keys(spec) as (keyof TemplateSpec)[]).filter(
    (key) => !inPlace.has(key) && !isDeepStrictEqual(spec[key], template.spec[key]),
  );
  return { template: { ...template, name, labels, spec }, released };
}
