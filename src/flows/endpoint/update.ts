// A client changes an endpoint. What needs new workers is a release, written in the same
// transaction as the version that names it.

import type { Clock } from "../../base/clock.ts";
import { changeEndpoint, settingsOf } from "../../domain/endpoint/change.ts";
import { type EndpointWishes, normalized } from "../../domain/endpoint/wishes.ts";
import { Fault } from "../../domain/fault.ts";
import { findEndpoint, lockEndpoint, updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { holdTemplate } from "../../store/template/template.ts";
import { cannotMount } from "../network-volume/of-endpoint.ts";
import { noSuchSecrets } from "../secret/missing.ts";
import { cannotUse } from "./cannot-use.ts";
import { checkEndpoint, type EndpointRules } from "./check.ts";
import type { EndpointView } from "./read.ts";

export interface EndpointUpdate {
  accountId: string;
  id: string;
  wishes: EndpointWishes;
}

export async function changeEndpointOf(
  deps: { store: Store; clock: Clock } & EndpointRules,
  update: EndpointUpdate,
): Promise<EndpointView> {
  const wishes = normalized(deps.catalog, update.wishes);
  const result = await deps.store.write(keepChange, deps, { ...update, wishes }, deps.clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* keepChange(
  rules: EndpointRules,
  { accountId, id, wishes }: EndpointUpdate,
  now: number,
): Verb<EndpointView | Fault> {
  // Whoever changes the template locks it first and its endpoints then; so it must be done here.
  const seen = yield* findEndpoint(id);
  if (seen?.accountId !== accountId) return new Fault("endpoint_not_found", { id });
  let template = yield* holdTemplate(wishes.templateId ?? seen.templateId);
  const before = yield* lockEndpoint(id);
  if (!before) return new Fault("endpoint_not_found", { id });
  const templateId = wishes.templateId ?? before.templateId;
  if (template?.id !== templateId) template = yield* holdTemplate(templateId);
  const spec = { ...before.spec, ...settingsOf(wishes) };
  const unusable = cannotUse(rules, { accountId, templateId, spec }, template);
  if (unusable) return unusable;
  const { endpoint, release } = changeEndpoint(before, wishes, template!, now);
  const refusal =
    checkEndpoint(rules, wishes, endpoint.spec) ??
    (yield* cannotMount(endpoint)) ??
    (release ? yield* noSuchSecrets(accountId, template!.spec.env) : null);
  if (refusal) return refusal;
  yield* updateEndpoint(endpoint, release);
  return { endpoint, template: template!, workers: null };
}
