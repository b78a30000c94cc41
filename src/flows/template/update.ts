// Changing a template. Endpoints that use it get a release in the same transaction, so that no worker
// ever runs half of a change.

import type { Clock } from "../../base/clock.ts";
import { releaseOf } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import { changeTemplate, type TemplateChanges } from "../../domain/template/change.ts";
import type { Template } from "../../domain/template/template.ts";
import { lockEndpointsUsing } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockTemplate } from "../../store/template/template.ts";
import { requireRegistryAuth } from "../../transactions/registry-auth/require-registry-auth.ts";
import { requireSecrets } from "../../transactions/secret/require-secrets.ts";
import { saveTemplate } from "../../transactions/template/save.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { PodRules } from "../workload/pod-rules.ts";
import { templateFault, withDriver } from "../workload/template-check.ts";
import { checkTemplate } from "./check.ts";
import { refuseOfficial } from "./find.ts";

export interface TemplateUpdate {
  accountId: string;
  id: string;
  changes: TemplateChanges;
}

export async function changeTemplateOf(
  deps: { store: Store; clock: Clock } & PodRules,
  update: TemplateUpdate,
): Promise<Template> {
  refuseOfficial(deps, update.id);
  return throwRefusal(deps.store.write(saveTemplateChange, deps, update, deps.clock.now()));
}

/** Writes nothing if it returns a fault. */
export function* saveTemplateChange(
  rules: PodRules,
  { accountId, id, changes }: TemplateUpdate,
  now: number,
): Tx<Template | Fault> {
  const before = yield* lockTemplate(id);
  if (before?.accountId !== accountId) return new Fault("template_not_found", { id });
  const { template, released } = changeTemplate(before, changes);
  const users = yield* lockEndpointsUsing(id);
  const unusable = users.map((endpoint) => templateFault(rules, endpoint, template)).find(Boolean);
  const { env } = template.spec;
  const refusal =
    checkTemplate(rules.portLimits, template.spec, before.spec) ??
    unusable ??
    (yield* requireRegistryAuth(accountId, template.spec));
  if (refusal) return refusal;
  for (const { owner } of users) {
    const missing = yield* requireSecrets(accountId, owner?.id ?? null, env);
    if (missing) return missing;
  }
  const reason = `its template changed: ${released.join(", ")}`;
  const next =
    released.length === 0 ? [] : users.map((each) => ({ ...each, version: each.version + 1 }));
  const releases = next.map((endpoint) => {
    const release = withDriver(rules, releaseOf(endpoint, template, reason, now));
    return { endpoint, release };
  });
  return (yield* saveTemplate(template, releases)) ?? template;
}
