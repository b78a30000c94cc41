// A client changes a template. Endpoints that use it get a release in the same transaction, so that
// no worker ever runs half of a change.

import type { Clock } from "../../base/clock.ts";
import { releaseOf } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { changeTemplate, type TemplateChanges } from "../../domain/template/change.ts";
import type { Template } from "../../domain/template/template.ts";
import { lockEndpointsUsing, updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { lockTemplate, updateTemplate } from "../../store/template/template.ts";
import { cannotUse, type StartRules } from "../endpoint/cannot-use.ts";
import { noSuchAuth } from "../registry-auth/hold.ts";
import { noSuchSecrets } from "../secret/missing.ts";
import { checkTemplate } from "./check.ts";

export interface TemplateUpdate {
  accountId: string;
  id: string;
  changes: TemplateChanges;
}

export async function changeTemplateOf(
  deps: { store: Store; clock: Clock } & StartRules,
  update: TemplateUpdate,
): Promise<Template> {
  const result = await deps.store.write(keepTemplateChange, deps, update, deps.clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

/** Writes nothing where it is refused. */
export function* keepTemplateChange(
  rules: StartRules,
  { accountId, id, changes }: TemplateUpdate,
  now: number,
): Verb<Template | Fault> {
  const before = yield* lockTemplate(id);
  if (before?.accountId !== accountId) return new Fault("template_not_found", { id });
  const { template, released } = changeTemplate(before, changes);
  const users = yield* lockEndpointsUsing(id);
  const unusable = users.map((endpoint) => cannotUse(rules, endpoint, template)).find(Boolean);
  const { containerRegistryAuthId, env } = template.spec;
  const refusal =
    checkTemplate(template.spec) ??
    unusable ??
    (yield* noSuchAuth(accountId, containerRegistryAuthId));
  if (refusal) return refusal;
  const missing = users.length > 0 ? yield* noSuchSecrets(accountId, env) : null;
  if (missing) return missing;
  if ((yield* updateTemplate(template)) === "name_taken") {
    return new Fault("name_taken", { noun: "template", name: template.name });
  }
  if (released.length === 0) return template;
  const reason = `its template changed: ${released.join(", ")}`;
  for (const endpoint of users) {
    const next = { ...endpoint, version: endpoint.version + 1 };
    yield* updateEndpoint(next, releaseOf(next, template, reason, now));
  }
  return template;
}
