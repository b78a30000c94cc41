// Endpoints.

import { keepFraction, keepGpuOrder } from "../../../domain/endpoint/write-back/keep.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Template } from "../../../domain/template/template.ts";
import type { CapacityDeps } from "../../../flows/endpoint/capacity.ts";
import type { EndpointRules } from "../../../flows/endpoint/check.ts";
import { createEndpoint } from "../../../flows/endpoint/create.ts";
import { deleteEndpoint } from "../../../flows/endpoint/delete.ts";
import { endpointHealth } from "../../../flows/endpoint/health.ts";
import { type EndpointView, readEndpoint, readEndpoints } from "../../../flows/endpoint/read.ts";
import { changeEndpointOf } from "../../../flows/endpoint/update.ts";
import { webhookResponses } from "../../../flows/endpoint/webhook-requests.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { isOwnedBy, ownerNamed } from "../../../flows/member/owner.ts";
import { workerRuntimesOf } from "../../../flows/pod/runtime.ts";
import type { LogSources } from "../../../flows/replica/log-source.ts";
import type { EndpointViewDeps } from "../../management/endpoint/endpoint-view.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { requireInput } from "../schema/input.ts";
import { nullIfMissing } from "../schema/missing.ts";
import type { EndpointInput } from "../schema/types.generated.ts";
import { newTemplateFrom, templateChangesFrom } from "../template/template-request.ts";
import { type GraphqlEndpoint, graphqlEndpoint } from "../view/endpoint-view.ts";
import { type GraphqlWorker, graphqlWorker } from "../view/worker-view.ts";
import { endpointChangesFrom, newEndpointFrom } from "./endpoint-request.ts";

export type EndpointReadDeps = EndpointViewDeps & Pick<FlowDeps, "store">;

interface Deps extends FlowDeps, EndpointRules, CapacityDeps, LogSources {}

export const endpointResolvers: Resolvers<GraphqlContext<Deps>> = {
  Mutation: {
    saveEndpoint: async (_, { input }, context) =>
      graphqlEndpoint(context.deps, await save(context, input)),
    deleteEndpoint: async (_, { id }, context) => {
      await deleteEndpoint(context.deps, accountFor(context, "write"), id);
      return null;
    },
    updateEndpointTemplate: async (_, { input }, context) => {
      const accountId = accountFor(context, "write");
      const { endpointId: id, templateId } = requireInput(input);
      const change = { accountId, id, request: { templateId } };
      return graphqlEndpoint(context.deps, await changeEndpointOf(context.deps, change));
    },
  },
  Pod: {
    endpoint: (pod, _, context) =>
      "aiApiId" in pod && pod.aiApiId ? endpointOrNull(context, pod.aiApiId) : null,
  },
  Endpoint: {
    workerState: async ({ id }, _, context) => {
      const { deps } = context;
      const { endpoint } = await readEndpoint(deps, accountFor(context, "read"), id, false);
      const { workers } = await endpointHealth(deps, endpoint);
      return [{ ...workers, time: deps.clock.now() }];
    },
    webhookRequests: async ({ id }, { input }, { deps }) => {
      const live = (input?.granularity ?? "LIVE") === "LIVE";
      const buckets = await webhookResponses(deps, id, live ? 1 : 60);
      return buckets.map(({ at, statuses }) => ({ time: at, responses: statuses }));
    },
    pods: async ({ id }, _, context) => {
      const { deps } = context;
      const view = await readEndpoint(deps, accountFor(context, "read"), id, true);
      return graphqlWorkers(deps, view);
    },
  },
};

async function graphqlWorkers(deps: Deps, view: EndpointView): Promise<GraphqlWorker[]> {
  const workers = view.workers ?? [];
  const runtimes = await workerRuntimesOf(
    deps,
    workers.map(({ worker }) => worker),
  );
  const now = deps.clock.now();
  return workers.map((worker, n) =>
    graphqlWorker(deps.catalog, worker, view, { now, runtime: runtimes[n] ?? null }),
  );
}

/** `createdBy` is the id of a member, or "me". */
export async function readEndpointList(
  context: GraphqlContext<EndpointReadDeps>,
  createdBy?: string | null,
): Promise<GraphqlEndpoint[]> {
  const { deps } = context;
  const ownerId = ownerNamed(createdBy ?? undefined, context.key);
  const views = await readEndpoints(deps, accountFor(context, "read"), false);
  const owned = views.filter(({ endpoint }) => isOwnedBy(ownerId, endpoint));
  return owned.map((view) => graphqlEndpoint(deps, view));
}

export function endpointOrNull(
  context: GraphqlContext<EndpointReadDeps>,
  id: string,
): Promise<GraphqlEndpoint | null> {
  const { deps } = context;
  return nullIfMissing("endpoint_not_found", async () =>
    graphqlEndpoint(deps, await readEndpoint(deps, accountFor(context, "read"), id, false)),
  );
}

async function save(context: GraphqlContext<Deps>, input: EndpointInput): Promise<EndpointView> {
  const accountId = accountFor(context, "write");
  const { deps, once } = context;
  if (input.id) return change(context, accountId, { ...input, id: input.id });
  if (input.template && input.templateId) {
    const detail = 'Give "templateId" or "template", and not both.';
    throw new Fault("invalid_body", { detail });
  }
  const template = input.template
    ? newTemplateFrom({ name: input.name, isServerless: true, ...withoutEmptyName(input.template) })
    : undefined;
  const templateId = input.templateId ?? (template ? "new" : "");
  const request = newEndpointFrom(deps.catalog, input, templateId);
  const created = { ...creatorFor(context), request, ...(template && { template }), once };
  return createEndpoint(deps, created);
}

/** `template` changes the template that the endpoint has. */
async function change(
  { deps }: GraphqlContext<Deps>,
  accountId: string,
  { template, ...input }: EndpointInput & { id: string },
): Promise<EndpointView> {
  const submitted = endpointChangesFrom(deps.catalog, input);
  const { spec } = (await readEndpoint(deps, accountId, input.id, false)).endpoint;
  const request = keepGpuOrder(deps.catalog, keepFraction(submitted, spec), spec);
  return changeEndpointOf(deps, {
    accountId,
    id: input.id,
    request,
    ...(template && { template: (now: Template) => templateChangesFrom(template, now) }),
  });
}

/** A template without a name takes the endpoint's. */
function withoutEmptyName<Input extends { name?: string | null }>(template: Input) {
  const { name, ...rest } = template;
  return name ? template : rest;
}
