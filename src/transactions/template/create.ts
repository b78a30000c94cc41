// The creation of a template, once per Idempotency-Key.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertTemplate } from "../../store/template/template.ts";
import { createOnce } from "../idempotency/create-once.ts";
import { requireMembership } from "../member/require-membership.ts";
import { requireRegistryAuth } from "../registry-auth/require-registry-auth.ts";

export function* createTemplateOnce(
  once: IdempotencyKey | null,
  template: Template,
): Tx<Template | Fault> {
  return yield* createOnce(once, template.createdAt, function* () {
    const refusal =
      (yield* requireMembership(template)) ??
      (yield* requireRegistryAuth(template.accountId, template.spec));
    if (refusal) return refusal;
    if ((yield* insertTemplate(template)) === "done") return template;
    return new Fault("name_taken", { noun: "template", name: template.name });
  });
}
