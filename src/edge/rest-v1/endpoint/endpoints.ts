// Routes of /v1/endpoints.

import type { FastifyInstance } from "fastify";
import { endpointOperations } from "../../../contract/rest-v1/endpoint/endpoint.ts";
import { keepAny, keepFraction } from "../../../domain/endpoint/write-back/keep.ts";
import { endpointActivity } from "../../../flows/endpoint/activity.ts";
import { endpointCost } from "../../../flows/endpoint/cost.ts";
import { createEndpoint } from "../../../flows/endpoint/create.ts";
import { deleteEndpoint } from "../../../flows/endpoint/delete.ts";
import { endpointHistory } from "../../../flows/endpoint/history.ts";
import { readEndpoint, readEndpoints } from "../../../flows/endpoint/read.ts";
import { rollBackEndpoint } from "../../../flows/endpoint/roll-back.ts";
import { changeEndpointOf } from "../../../flows/endpoint/update.ts";
import { dollars } from "../billing/dollars.ts";
import type { RestDeps } from "../deps.ts";
import { instant } from "../serve/instant.ts";
import { serve } from "../serve/serve.ts";
import { endpointRequest } from "./endpoint-request.ts";
import { endpointRead } from "./endpoint-view.ts";

const at = (text: string | undefined) => (text === undefined ? null : Date.parse(text));

export function endpointRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, endpointOperations, {
    async createEndpoint({ accountId, key, body, once }) {
      const request = { ...endpointRequest(body), templateId: body.templateId };
      const newEndpoint = { accountId, keyId: key.id, request, once };
      return endpointRead(deps, await createEndpoint(deps, newEndpoint), false);
    },
    async listEndpoints({ accountId, query }) {
      const views = await readEndpoints(deps, accountId, query.includeWorkers ?? false);
      return views.map((view) => endpointRead(deps, view, query.includeTemplate ?? false));
    },
    async getEndpoint({ accountId, params, query }) {
      const withWorkers = query.includeWorkers ?? false;
      const view = await readEndpoint(deps, accountId, params.endpointId, withWorkers);
      return endpointRead(deps, view, query.includeTemplate ?? false);
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
    async listEndpointActivity({ accountId }) {
      const activity = await endpointActivity(deps, accountId);
      return activity.map(({ executionMs, spentToday, ...counts }) => {
        return { ...counts, executionP95Ms: executionMs, spentToday: dollars(spentToday) };
      });
    },
    async updateEndpoint({ accountId, params, body }) {
      const { endpoint } = await readEndpoint(deps, accountId, params.endpointId, false);
      const { spec } = endpoint;
      const request = keepAny(deps.catalog, keepFraction(endpointRequest(body), spec), spec);
      const update = { accountId, id: endpoint.id, request };
      return endpointRead(deps, await changeEndpointOf(deps, update), false);
    },
    async rollBackEndpoint({ accountId, params }) {
      const rollBack = { accountId, id: params.endpointId, version: params.version };
      return endpointRead(deps, await rollBackEndpoint(deps, rollBack), false);
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
