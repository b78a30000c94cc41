// A client keeps a new template.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { defaultTemplate } from "../../domain/template/defaults.ts";
import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { insertTemplate } from "../../store/template/template.ts";
import { noSuchAuth } from "../registry-auth/hold.ts";
import { checkTemplate } from "./check.ts";

export interface NewTemplate {
  name: string;
  settings: Partial<TemplateSpec> & { imageName: string };
}

export interface TemplateWishes extends NewTemplate {
  accountId: string;
  once: Once | null;
}

export async function createTemplate(
  deps: { store: Store; clock: Clock; ids: Ids },
  { accountId, once, ...wanted }: TemplateWishes,
): Promise<Template> {
  const template = templateToKeep(deps, accountId, wanted);
  const result = await deps.store.write(keepTemplate, once, template);
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

/** Throws the fault that names everything wrong with it. */
export function templateToKeep(
  { clock, ids }: { clock: Clock; ids: Ids },
  accountId: string,
  { name, settings }: NewTemplate,
): Template {
  const spec = { ...defaultTemplate(settings.imageName), ...settings };
  const refusal = checkTemplate(spec);
  if (refusal) throw refusal;
  return { id: ids.short(10), accountId, name, spec, createdAt: clock.now() };
}

function* keepTemplate(once: Once | null, template: Template): Verb<Template | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(once, template.createdAt, function* () {
    refusal = yield* noSuchAuth(template.accountId, template.spec.containerRegistryAuthId);
    if (refusal) return null;
    if ((yield* insertTemplate(template)) === "done") return template;
    refusal = new Fault("name_taken", { noun: "template", name: template.name });
    return null;
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}
