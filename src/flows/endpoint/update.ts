// A client changes an endpoint. What needs new workers is a release, written in the same
// transaction as the version that names it.

import type { Clock } from "../../base/clock.ts";
import { type ChangedEndpoint, changeEndpoint, settingsOf } from "../../domain/endpoint/change.ts";
import { type EndpointWishes, normalized } from "../../domain/endpoint/wishes.ts";
import { Fault } from "../../domain/fault.ts";
import { changeTemplate, type TemplateChanges } from "../../domain/template/change.ts";
import type { Template } from "../../domain/template/template.ts";
import { findEndpoint, lockEndpoint, updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { holdTemplate, lockTemplate } from "../../store/template/template.ts";
import { cannotMount } from "../network-volume/of-endpoint.ts";
import { noSuchSecrets } from "../secret/missing.ts";
import { keepTemplateChange } from "../template/update.ts";
import { cannotUse } from "./cannot-use.ts";
import { checkEndpoint, type EndpointRules } from "./check.ts";
import type { EndpointView } from "./read.ts";

export interface EndpointUpdate {
  accountId: string;
  id: string;
  wishes: EndpointWishes;
  /** What becomes of its template with it: both are changed, or neither is. */
  template?: (now: Template) => TemplateChanges;
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
  update: EndpointUpdate,
  now: number,
): Verb<EndpointView | Fault> {
  let plan = yield* planChange(rules, update, now);
  if (plan instanceof Fault) return plan;
  if (update.template) {
    const { accountId } = update;
    const { id } = plan.before;
    const changes = update.template(plan.before);
    const changed = yield* keepTemplateChange(rules, { accountId, id, changes }, now);
    if (changed instanceof Fault) return changed;
    // Again, on the release that the template's change has made.
    plan = yield* planChange(rules, { ...update, template: undefined }, now);
    if (plan instanceof Fault) return plan;
  }
  const { endpoint, release, template } = plan;
  yield* updateEndpoint(endpoint, release);
  return { endpoint, template, workers: null };
}

interface Plan extends ChangedEndpoint {
  /** As it will be, and as it is. */
  template: Template;
  before: Template;
}

function* planChange(
  rules: EndpointRules,
  { accountId, id, wishes, template: change }: EndpointUpdate,
  now: number,
): Verb<Plan | Fault> {
  // Whoever changes the template locks it first and its endpoints then; so it must be done here.
  const hold = change ? lockTemplate : holdTemplate;
  const seen = yield* findEndpoint(id);
  if (seen?.accountId !== accountId) return new Fault("endpoint_not_found", { id });
  let held = yield* hold(wishes.templateId ?? seen.templateId);
  const before = yield* lockEndpoint(id);
  if (!before) return new Fault("endpoint_not_found", { id });
  const templateId = wishes.templateId ?? before.templateId;
  if (held?.id !== templateId) held = yield* hold(templateId);
  const template = held && change ? changeTemplate(held, change(held)).template : held;
  const spec = { ...before.spec, ...settingsOf(wishes) };
  const unusable = cannotUse(rules, { accountId, templateId, spec }, template);
  if (unusable) return unusable;
  const { endpoint, release } = changeEndpoint(before, wishes, template!, now);
  const refusal =
    checkEndpoint(rules, wishes, endpoint.spec) ??
    (yield* cannotMount(endpoint)) ??
    (release ? yield* noSuchSecrets(accountId, template!.spec.env) : null);
  return refusal ?? { endpoint, release, template: template!, before: held! };
}
