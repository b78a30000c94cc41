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
import { checkTemplate } from "./check.ts";

export interface TemplateWishes {
  accountId: string;
  name: string;
  settings: Partial<TemplateSpec> & { imageName: string };
  once: Once | null;
}

export async function createTemplate(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { accountId, name, settings, once }: TemplateWishes,
): Promise<Template> {
  const spec = { ...defaultTemplate(settings.imageName), ...settings };
  const refusal = checkTemplate(spec);
  if (refusal) throw refusal;
  const template = { id: ids.short(10), accountId, name, spec, createdAt: clock.now() };
  const result = await store.write(keepTemplate, once, template);
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (!result.answer) throw new Fault("name_taken", { noun: "template", name });
  return result.answer;
}

function* keepTemplate(
  once: Once | null,
  template: Template,
): Verb<{ answer: Template | null } | "conflict"> {
  return yield* doOnce(once, template.createdAt, function* () {
    return (yield* insertTemplate(template)) === "done" ? template : null;
  });
}
