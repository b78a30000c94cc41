// Creating a template.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { PortLimits } from "../../domain/container/ports.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import type { Owned } from "../../domain/member/member.ts";
import {
  defaultTemplate,
  type Template,
  type TemplateSpec,
} from "../../domain/template/template.ts";
import type { Store } from "../../store/engine/store.ts";
import { createTemplateOnce } from "../../transactions/template/create.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { checkTemplate } from "./check.ts";

export interface NewTemplate {
  name: string;
  labels?: Labels;
  settings: Partial<TemplateSpec> & { imageName: string };
}

export interface TemplateRequest extends NewTemplate, Owned {
  accountId: string;
  once: IdempotencyKey | null;
}

interface TemplateDeps {
  clock: Clock;
  ids: Ids;
  portLimits: PortLimits;
}

export async function createTemplate(
  deps: { store: Store } & TemplateDeps,
  { accountId, owner, once, ...settings }: TemplateRequest,
): Promise<Template> {
  const template = { ...newTemplate(deps, accountId, settings), owner };
  return throwRefusal(deps.store.write(createTemplateOnce, once, template));
}

/** Throws a fault that lists every error. */
export function newTemplate(
  { clock, ids, portLimits }: TemplateDeps,
  accountId: string,
  { name, labels = noLabels, settings }: NewTemplate,
): Template {
  const spec = { ...defaultTemplate(settings.imageName), ...settings };
  const refusal = checkTemplate(portLimits, spec);
  if (refusal) throw refusal;
  return { id: ids.short(10), accountId, name, labels, spec, createdAt: clock.now() };
}
