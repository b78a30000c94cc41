// Routes of /v1/endpoints.

import type { FastifyInstance, FastifyReply } from "fastify";
import { endpointOperations } from "../../../contract/rest-v1/endpoint/endpoint.ts";
import { creatorOf } from "../../../domain/account.ts";
import { keepAny, keepFraction } from "../../../domain/endpoint/write-back/keep.ts";
import { hasLabels } from "../../../domain/label/labels.ts";
import { endpointActivity } from "../../../flows/endpoint/activity.ts";
import type { EndpointRules } from "../../../flows/endpoint/check.ts";
import { endpointCost } from "../../../flows/endpoint/cost.ts";
import { createEndpoint } from "../../../flows/endpoint/create.ts";
import { deleteEndpoint } from "../../../flows/endpoint/delete.ts";
import { endpointHistory } from "../../../flows/endpoint/history.ts";
import { type EndpointView, readEndpoint, readEndpoints } from "../../../flows/endpoint/read.ts";
import { rollBackEndpoint } from "../../../flows/endpoint/roll-back.ts";
import { changeEndpointOf } from "../../../flows/endpoint/update.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { isOwnedBy, ownerNamed } from "../../../flows/member/owner.ts";
import type { Ownership } from "../../../flows/member/ownership.ts";
import { dollars } from "../../management/billing/dollars.ts";
import type { Addresses } from "../../management/deps.ts";
import { endpointRead } from "../../management/endpoint/endpoint-view.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelFilterOf } from "../../management/serve/labels.ts";
import { originFor } from "../../management/serve/origin.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { endpointRequest } from "./endpoint-request.ts";

interface Deps extends FlowDeps, EndpointRules, Pick<Addresses, "balancerUrl" | "publicUrl"> {
  ownership: Ownership;
}

const at = (text: string | undefined) => (text === undefined ? null : Date.parse(text));

export function endpointRoutes(app: FastifyInstance, deps: Deps): void {
  const read = (view: EndpointView, { request }: FastifyReply, withTemplate = false) => {
    const origin = originFor(deps, request);
    const urlOf = (endpointId: string) => deps.balancerUrl(endpointId, origin);
    return endpointRead(deps, view, { withTemplate, urlOf });
  };
  serveOperations(app, endpointOperations, {
    async createEndpoint({ key, body, once, reply }) {
      const request = { ...endpointRequest(body), templateId: body.templateId };
      const newEndpoint = { ...creatorOf(key), request, once };
      return read(await createEndpoint(deps, newEndpoint), reply);
    },
    async listEndpoints({ accountId, key, query, reply }) {
      const ownerId = ownerNamed(query.createdBy, key);
      const views = await readEndpoints(deps, accountId, query.includeWorkers ?? false);
      const labels = labelFilterOf(query);
      const owned = views.filter(
        ({ endpoint }) => isOwnedBy(ownerId, endpoint) && hasLabels(endpoint.labels, labels),
      );
      return owned.map((view) => read(view, reply, query.includeTemplate));
    },
    async getEndpoint({ accountId, params, query, reply }) {
      const withWorkers = query.includeWorkers ?? false;
      const view = await readEndpoint(deps, accountId, params.endpointId, withWorkers);
      return read(view, reply, query.includeTemplate);
    },
    async getEndpointCost({ accountId, params }) {
      const { spent, perHour, jobs } = await endpointCost(deps, accountId, params.endpointId);
      return {
        spent: dollars(spent),
        spendPerHr: dollars(perHour),
        jobs,
        ...(jobs > 0 && { per1000Jobs: dollars(Math.round((spent / jobs) * 1_000)) }),
      };
    },
    async listEndpointActivity({ accountId, key, query }) {
      const activity = await endpointActivity(deps, accountId, query.hours ?? 6);
      const own = await deps.ownership.endpointIds(key);
      const visible = activity.filter(({ endpointId }) => own?.has(endpointId) ?? true);
      return visible.map(({ executionMs, spentToday, ...counts }) => {
        return { ...counts, executionP95Ms: executionMs, spentToday: dollars(spentToday) };
      });
    },
    async updateEndpoint({ accountId, params, body, reply }) {
      const { endpoint } = await readEndpoint(deps, accountId, params.endpointId, false);
      const { spec } = endpoint;
      const request = keepAny(deps.catalog, keepFraction(endpointRequest(body), spec), spec);
      const update = { accountId, id: endpoint.id, request };
      return read(await changeEndpointOf(deps, update), reply);
    },
    async rollBackEndpoint({ accountId, params, reply }) {
      const rollBack = { accountId, id: params.endpointId, version: params.version };
      return read(await rollBackEndpoint(deps, rollBack), reply);
    },
    async deleteEndpoint({ accountId, params }) {
      await deleteEndpoint(deps, accountId, params.endpointId);
    },
    async getEndpointHistory({ accountId, params, query }) {
      const { bucketMinutes = 1 } = query;
      const times = { startTime: at(query.startTime), endTime: at(query.endTime) };
      const request = { accountId, endpointId: params.endpointId, bucketMinutes, ...times };
      const points = await endpointHistory(deps, request);
      return points.map(({ at, ...point }) => ({ time: instant(at), ...point }));
    },
  });
}
