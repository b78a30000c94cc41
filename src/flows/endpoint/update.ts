// Changing an endpoint. A change that needs new workers is a release, written in the same transaction
// as the endpoint's new version.

import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { type ChangedEndpoint, changeEndpoint, settingsOf } from "../../domain/endpoint/change.ts";
import { type EndpointRequest, normalized } from "../../domain/endpoint/endpoint-request.ts";
import { keepGpus } from "../../domain/endpoint/write-back/keep.ts";
import { Fault } from "../../domain/fault.ts";
import { noLabels } from "../../domain/label/labels.ts";
import { changeTemplate, type TemplateChanges } from "../../domain/template/change.ts";
import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import { findEndpoint, listEndpointsUsing, lockEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockTemplate, lockTemplateShared } from "../../store/template/template.ts";
import { deleteUnusedTemplate } from "../../transactions/endpoint/delete.ts";
import { saveEndpoint, saveEndpointWithCopy } from "../../transactions/endpoint/save.ts";
import { activeBuildOf } from "../../transactions/flash-app/deploy.ts";
import { requireLabelBudgets } from "../../transactions/money/spend.ts";
import { requireMountableVolumes } from "../../transactions/network-volume/of-endpoint.ts";
import { requireRegistryAuth } from "../../transactions/registry-auth/require-registry-auth.ts";
import { requireSecrets } from "../../transactions/secret/require-secrets.ts";
import { checkTemplate } from "../template/check.ts";
import { saveTemplateChange } from "../template/update.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { templateFault, withDriver } from "../workload/template-check.ts";
import { checkEndpoint, type EndpointRules, readNewGpuTypes } from "./check.ts";
import type { EndpointView } from "./read.ts";

export interface EndpointUpdate {
  accountId: string;
  id: string;
  request: EndpointRequest;
  /** The changes of its template, in the same transaction. */
  template?: (now: Template) => TemplateChanges;
  /** The changes of its container. A template that others can use too is copied first. */
  container?: (now: Template) => TemplateChanges;
  /** The reason of the release; by default, the names of the settings that changed. */
  reason?: string;
}

export async function changeEndpointOf(
  deps: { store: Store; clock: Clock; ids: Ids } & EndpointRules,
  update: EndpointUpdate,
): Promise<EndpointView> {
  const request = normalized(deps.catalog, update.request);
  await readNewGpuTypes(deps, request);
  return throwRefusal(deps.store.write(keepChange, deps, { ...update, request }, deps.clock.now()));
}

export function* keepChange(
  rules: EndpointRules & { ids: Ids },
  requested: EndpointUpdate,
  now: number,
): Tx<EndpointView | Fault> {
  const submitted = yield* withBuild(requested);
  if (submitted instanceof Fault) return submitted;
  const official = yield* officialChosen(rules, submitted, now);
  if (official) return yield* keepWithOfficial(rules, submitted, official, now);
  const copy = submitted.container ? yield* copyOfShared(rules, submitted, now) : "unchanged";
  if (typeof copy === "object") return yield* keepWithCopy(rules, submitted, copy, now);
  const update = copy === "own" ? { ...submitted, template: submitted.container } : submitted;
  let plan = yield* planChange(rules, update, now);
  if (plan instanceof Fault) return plan;
  if (update.template) {
    const { accountId } = update;
    const { id } = plan.before;
    const changes = update.template(plan.before);
    const changed = yield* saveTemplateChange(rules, { accountId, id, changes }, now);
    if (changed instanceof Fault) return changed;
    // The template's change has made a release, so the plan is made again.
    plan = yield* planChange(rules, { ...update, template: undefined }, now);
    if (plan instanceof Fault) return plan;
  }
  const { endpoint, release, template } = plan;
  yield* saveEndpoint(endpoint, release, now);
  return { endpoint, template, workers: null };
}

/** A new template for one endpoint. */
export interface TemplateCopy {
  template: Template;
  /** The settings before the change that makes the copy necessary. */
  stored: TemplateSpec;
}

interface OfficialChosen {
  /** The endpoint's template, locked. */
  before: Template | undefined;
  copy: TemplateCopy;
}

/** A copy of the official template that a request names, bound to the endpoint. */
function* officialChosen(
  { ids, officialTemplates }: EndpointRules & { ids: Ids },
  { accountId, id, request, template }: EndpointUpdate,
  createdAt: number,
): Tx<OfficialChosen | null> {
  const official = officialTemplates.copyFor(accountId, request.templateId);
  const endpoint = official && (yield* findEndpoint(id));
  if (!official || endpoint?.accountId !== accountId) return null;
  const before = yield* lockTemplate(endpoint.templateId);
  const { spec } = template ? changeTemplate(official, template(official)).template : official;
  const copyId = ids.short(10);
  const name = `${endpoint.name} ${copyId}`;
  const identity = { id: copyId, accountId, owner: endpoint.owner, name, labels: noLabels };
  const copy = { ...identity, createdAt, spec, boundTo: id };
  return { before, copy: { template: copy, stored: official.spec } };
}

/** The endpoint's own template is replaced by the copy, unless they are equal already. */
function* keepWithOfficial(
  rules: EndpointRules,
  { template: _, ...update }: EndpointUpdate,
  { before, copy }: OfficialChosen,
  now: number,
): Tx<EndpointView | Fault> {
  const isOwn = before?.boundTo === update.id;
  if (isOwn && isDeepStrictEqual(before.spec, copy.template.spec)) {
    const { templateId: __, ...request } = update.request;
    const plan = yield* planChange(rules, { ...update, request }, now);
    if (plan instanceof Fault) return plan;
    yield* saveEndpoint(plan.endpoint, plan.release, now);
    return { endpoint: plan.endpoint, template: plan.template, workers: null };
  }
  const written = yield* keepWithCopy(rules, update, copy, now);
  if (!(written instanceof Fault) && before && isOwn) yield* deleteUnusedTemplate(before);
  return written;
}

/** An endpoint that enters a Flash environment runs the build that is active there. */
function* withBuild(update: EndpointUpdate): Tx<EndpointUpdate | Fault> {
  const { accountId, request } = update;
  if (!request.flashEnvironmentId) return update;
  const flashBuildId = yield* activeBuildOf(accountId, request.flashEnvironmentId);
  if (flashBuildId instanceof Fault) return flashBuildId;
  return { ...update, request: { ...request, flashBuildId } };
}

/** A changed copy of the endpoint's template, unless only this endpoint uses it or it does not change. */
function* copyOfShared(
  { ids }: { ids: Ids },
  { accountId, id, container }: EndpointUpdate,
  now: number,
): Tx<TemplateCopy | "own" | "unchanged"> {
  const endpoint = yield* findEndpoint(id);
  if (endpoint?.accountId !== accountId) return "own";
  const template = yield* lockTemplateShared(endpoint.templateId);
  if (!template) return "own";
  if (template.boundTo === id) {
    const users = yield* listEndpointsUsing(template.id);
    if (users.every((each) => each.id === id)) return "own";
  }
  const copyId = ids.short(10);
  const { spec } = changeTemplate(template, container!(template)).template;
  if (isDeepStrictEqual(spec, template.spec)) return "unchanged";
  const name = `${endpoint.name} ${copyId}`;
  const copy = {
    id: copyId,
    accountId,
    owner: endpoint.owner,
    name,
    labels: noLabels,
    createdAt: now,
    spec,
    boundTo: id,
  };
  return { template: copy, stored: template.spec };
}

export function* keepWithCopy(
  rules: EndpointRules,
  { request, ...update }: EndpointUpdate,
  { template: copy, stored }: TemplateCopy,
  now: number,
): Tx<EndpointView | Fault> {
  const withCopy = { ...update, request: { ...request, templateId: copy.id } };
  const plan = yield* planChange(rules, withCopy, now, copy);
  if (plan instanceof Fault) return plan;
  const refusal =
    checkTemplate(rules.portLimits, copy.spec, stored) ??
    (yield* requireRegistryAuth(copy.accountId, copy.spec));
  if (refusal) return refusal;
  const taken = yield* saveEndpointWithCopy(plan.endpoint, plan.release, copy);
  if (taken) return taken;
  return { endpoint: plan.endpoint, template: copy, workers: null };
}

interface Plan extends ChangedEndpoint {
  /** The template after and before the change. */
  template: Template;
  before: Template;
}

function* planChange(
  rules: EndpointRules,
  { accountId, id, request: submitted, template: change, reason }: EndpointUpdate,
  now: number,
  copy: Template | null = null,
): Tx<Plan | Fault> {
  // A template's change locks the template, then its endpoints; keep that order to avoid a deadlock.
  const hold = change ? lockTemplate : lockTemplateShared;
  const current = yield* findEndpoint(id);
  if (current?.accountId !== accountId) return new Fault("endpoint_not_found", { id });
  let locked = copy ?? (yield* hold(submitted.templateId ?? current.templateId));
  const before = yield* lockEndpoint(id);
  if (!before) return new Fault("endpoint_not_found", { id });
  const request = keepGpus(submitted, before.spec);
  const templateId = request.templateId ?? before.templateId;
  if (locked?.id !== templateId) locked = yield* hold(templateId);
  const template = locked && change ? changeTemplate(locked, change(locked)).template : locked;
  const spec = { ...before.spec, ...settingsOf(request) };
  const unusable = templateFault(rules, { accountId, templateId, spec }, template);
  if (unusable) return unusable;
  const { endpoint, release } = changeEndpoint(
    before,
    { request, template: template!, reason },
    now,
  );
  const refusal =
    checkEndpoint(rules, request, endpoint.spec) ??
    (yield* requireLabelBudgets(before, endpoint.labels, now)) ??
    (yield* requireMountableVolumes(endpoint)) ??
    (release
      ? yield* requireSecrets(accountId, endpoint.owner?.id ?? null, template!.spec.env)
      : null);
  if (refusal) return refusal;
  const next = release && withDriver(rules, release);
  return { endpoint, release: next, template: template!, before: locked! };
}
