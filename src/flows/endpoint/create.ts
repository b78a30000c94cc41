// Creating an endpoint, together with its first release.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Creator } from "../../domain/account.ts";
import { newSpec } from "../../domain/endpoint/change.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { type EndpointRequest, normalized } from "../../domain/endpoint/endpoint-request.ts";
import { releaseOf } from "../../domain/endpoint/release.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { noLabels } from "../../domain/label/labels.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockTemplateShared } from "../../store/template/template.ts";
import { saveNewEndpoint } from "../../transactions/endpoint/save.ts";
import { activeBuildOf } from "../../transactions/flash-app/deploy.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { requireMembership } from "../../transactions/member/require-membership.ts";
import { spend } from "../../transactions/money/spend.ts";
import { requireMountableVolumes } from "../../transactions/network-volume/of-endpoint.ts";
import { requireRegistryAuth } from "../../transactions/registry-auth/require-registry-auth.ts";
import { requireSecrets } from "../../transactions/secret/require-secrets.ts";
import { type NewTemplate, newTemplate } from "../template/create.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { templateFault, withDriver } from "../workload/template-check.ts";
import { checkEndpoint, type EndpointRules, readNewGpuTypes } from "./check.ts";
import type { EndpointView } from "./read.ts";

export interface NewEndpoint extends Creator {
  request: EndpointRequest & { templateId: string };
  /**
   * A template to create with the endpoint and to delete with it; an empty name is chosen here. An
   * official template is copied into one.
   */
  template?: NewTemplate;
  once: IdempotencyKey | null;
}

export async function createEndpoint(
  deps: { store: Store; clock: Clock; ids: Ids } & EndpointRules,
  { accountId, keyId, owner, request: submitted, template: desired, once }: NewEndpoint,
): Promise<EndpointView> {
  const request = normalized(deps.catalog, submitted);
  await readNewGpuTypes(deps, request);
  const spec = newSpec(request);
  const refusal = checkEndpoint(deps, request, spec);
  if (refusal) throw refusal;
  const id = deps.ids.short(14);
  const official = deps.officialTemplates.copyFor(accountId, submitted.templateId);
  // The id of an official template is a word, as its name is a title.
  const name = request.name ?? official?.id ?? id;
  const wanted = desired ?? (official && { name: "", settings: official.spec });
  const template = wanted
    ? {
        ...newTemplate(deps, accountId, { ...wanted, name: wanted.name || `${name} ${id}` }),
        boundTo: id,
        owner,
      }
    : null;
  const endpoint = {
    id,
    accountId,
    keyId,
    owner,
    name,
    labels: request.labels ?? noLabels,
    templateId: template?.id ?? submitted.templateId,
    version: 1,
    createdAt: deps.clock.now(),
    deletedAt: null,
    spec,
  };
  return throwRefusal(deps.store.write(keepEndpoint, deps, once, endpoint, template));
}

function* keepEndpoint(
  rules: EndpointRules,
  once: IdempotencyKey | null,
  endpoint: Endpoint,
  newTemplate: Template | null,
): Tx<EndpointView | Fault> {
  return yield* createOnce(once, endpoint.createdAt, function* () {
    const former = yield* requireMembership(endpoint);
    if (former) return former;
    const built = yield* withBuild(endpoint);
    if (built instanceof Fault) return built;
    endpoint = built;
    const template = newTemplate ?? (yield* lockTemplateShared(endpoint.templateId));
    if (template && !newTemplate && endpoint.name === endpoint.id) {
      endpoint = { ...endpoint, name: template.name };
    }
    const ownerId = endpoint.owner?.id ?? null;
    const refusal =
      templateFault(rules, endpoint, template) ??
      (yield* requireMountableVolumes(endpoint)) ??
      (yield* requireSecrets(endpoint.accountId, ownerId, template!.spec.env)) ??
      (yield* requireRegistryAuth(endpoint.accountId, template!.spec)) ??
      (yield* spend(endpoint, {}, endpoint.createdAt));
    if (refusal) return refusal;
    const release = withDriver(
      rules,
      releaseOf(endpoint, template!, "created", endpoint.createdAt),
    );
    const taken = yield* saveNewEndpoint(endpoint, release, newTemplate);
    if (taken) return taken;
    return { endpoint, template: template!, workers: null };
  });
}

/** An endpoint of a Flash environment runs the build that is active there. */
function* withBuild(endpoint: Endpoint): Tx<Endpoint | Fault> {
  const { accountId, spec } = endpoint;
  if (spec.flashEnvironmentId === "") return endpoint;
  const flashBuildId = yield* activeBuildOf(accountId, spec.flashEnvironmentId);
  if (flashBuildId instanceof Fault) return flashBuildId;
  return { ...endpoint, spec: { ...spec, flashBuildId } };
}
