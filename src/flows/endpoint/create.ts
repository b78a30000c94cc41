// A client makes an endpoint: its first release is written with it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { newSpec } from "../../domain/endpoint/change.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { releaseOf } from "../../domain/endpoint/release.ts";
import { type EndpointWishes, normalized } from "../../domain/endpoint/wishes.ts";
import { Fault } from "../../domain/fault.ts";
import type { Template } from "../../domain/template/template.ts";
import { insertEndpoint } from "../../store/endpoint/endpoint.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { holdTemplate, insertTemplate } from "../../store/template/template.ts";
import { overBudget } from "../billing/unpaid.ts";
import { cannotMount } from "../network-volume/of-endpoint.ts";
import { noSuchAuth } from "../registry-auth/hold.ts";
import { noSuchSecrets } from "../secret/missing.ts";
import { type NewTemplate, templateToKeep } from "../template/create.ts";
import { cannotUse } from "./cannot-use.ts";
import { checkEndpoint, type EndpointRules } from "./check.ts";
import type { EndpointView } from "./read.ts";

export interface NewEndpoint {
  accountId: string;
  /** Of the API key that asks for it. */
  keyId: string;
  wishes: EndpointWishes & { templateId: string };
  /** Made together with it, and used in the place of the one that is named. */
  template?: NewTemplate;
  once: Once | null;
}

export async function createEndpoint(
  deps: { store: Store; clock: Clock; ids: Ids } & EndpointRules,
  { accountId, keyId, wishes: given, template: wanted, once }: NewEndpoint,
): Promise<EndpointView> {
  const wishes = normalized(deps.catalog, given);
  const spec = newSpec(wishes);
  const refusal = checkEndpoint(deps, wishes, spec);
  if (refusal) throw refusal;
  const template = wanted ? templateToKeep(deps, accountId, wanted) : null;
  const id = deps.ids.short(14);
  const endpoint = {
    id,
    accountId,
    keyId,
    name: wishes.name ?? id,
    templateId: template?.id ?? given.templateId,
    version: 1,
    createdAt: deps.clock.now(),
    deletedAt: null,
    spec,
  };
  const result = await deps.store.write(keepEndpoint, deps, once, endpoint, template);
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

function* keepEndpoint(
  rules: EndpointRules,
  once: Once | null,
  endpoint: Endpoint,
  newTemplate: Template | null,
): Verb<EndpointView | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(once, endpoint.createdAt, function* () {
    const template = newTemplate ?? (yield* holdTemplate(endpoint.templateId));
    refusal =
      cannotUse(rules, endpoint, template) ??
      (yield* overBudget(endpoint, endpoint.createdAt)) ??
      (yield* cannotMount(endpoint)) ??
      (yield* noSuchSecrets(endpoint.accountId, template!.spec.env)) ??
      (yield* noSuchAuth(endpoint.accountId, template!.spec.containerRegistryAuthId));
    if (refusal) return null;
    if (newTemplate && (yield* insertTemplate(newTemplate)) === "name_taken") {
      refusal = new Fault("name_taken", { noun: "template", name: newTemplate.name });
      return null;
    }
    yield* insertEndpoint(endpoint, releaseOf(endpoint, template!, "created", endpoint.createdAt));
    return { endpoint, template: template!, workers: null };
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}
