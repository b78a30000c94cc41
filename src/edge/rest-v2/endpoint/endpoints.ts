// Routes of /v2/serverless.

import type { FastifyInstance, FastifyReply } from "fastify";
import { endpointOperations } from "../../../contract/rest-v2/endpoint/endpoint-operations.ts";
import { creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Template } from "../../../domain/template/template.ts";
import type { EndpointRules } from "../../../flows/endpoint/check.ts";
import { createEndpoint } from "../../../flows/endpoint/create.ts";
import { deleteEndpoint } from "../../../flows/endpoint/delete.ts";
import { type EndpointView, endpointPage, readEndpoint } from "../../../flows/endpoint/read.ts";
import { releasesOf } from "../../../flows/endpoint/releases.ts";
import { changeEndpointOf } from "../../../flows/endpoint/update.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { ownWorkerSubject } from "../../../flows/log/subject.ts";
import { findOwnWorker } from "../../../flows/worker/find-own.ts";
import type { Addresses } from "../../management/deps.ts";
import type { LogStreamDeps } from "../../management/observe/log.ts";
import { originFor } from "../../management/serve/origin.ts";
import { sendLogStream } from "../log-stream.ts";
import { pageRequest, paginationOf } from "../serve/cursor.ts";
import { cursorFilters, listFilter } from "../serve/list-filter.ts";
import { serveRestV2 } from "../serve/serve.ts";
import { mergedWithTemplate, templateNamed } from "../template/template-merge.ts";
import { endpointChangesFrom, newEndpointFrom } from "./endpoint-request.ts";
import { type ClientOrigin, endpointRead } from "./endpoint-view.ts";
import { releaseRead, rolloutOf, workerListRead } from "./fleet-view.ts";

type Deps = FlowDeps & EndpointRules & LogStreamDeps & Pick<Addresses, "balancerUrl" | "publicUrl">;

function clientOrigin(deps: Deps, reply: FastifyReply): ClientOrigin {
  const origin = originFor(deps, reply.request);
  return { origin, balancerUrl: (endpointId) => deps.balancerUrl(endpointId, origin) };
}

export function endpointRoutes(app: FastifyInstance, deps: Deps): void {
  const { catalog } = deps;
  const read = (view: EndpointView, reply: FastifyReply) =>
    endpointRead(catalog, view, clientOrigin(deps, reply));
  const named = (accountId: string, templateId: string | undefined) =>
    templateNamed(deps, accountId, templateId, { serverless: true });
  serveRestV2(app, endpointOperations, {
    async createEndpoint({ accountId, key, body, once, reply }) {
      const request = { ...newEndpointFrom(catalog, body), templateId: "" };
      const from = await named(accountId, body.templateId);
      const template = { name: "", settings: settingsFor(body, from) };
      const created = { ...creatorOf(key), request, template, once };
      return read(await createEndpoint(deps, created), reply);
    },
    async listEndpoints({ accountId, key, query, reply }) {
      const filter = listFilter(query, key);
      const scope = { accountId, operation: "listEndpoints", filters: cursorFilters(filter) };
      const page = await endpointPage(deps, accountId, pageRequest(scope, query), filter);
      const endpoints = page.items.map((view) => read(view, reply));
      return { endpoints, pagination: paginationOf(scope, page) };
    },
    getEndpoint: async ({ accountId, params, reply }) =>
      read(await readEndpoint(deps, accountId, params.endpointId, false), reply),
    async updateEndpoint({ accountId, params, body, reply }) {
      const { endpoint } = await readEndpoint(deps, accountId, params.endpointId, false);
      const request = endpointChangesFrom(catalog, body, endpoint.spec);
      const from = await named(accountId, body.templateId);
      const container = mergedWithTemplate(body, from?.spec ?? null);
      const update = { accountId, id: endpoint.id, request };
      const changes = Object.keys(container).length > 0 ? { container: () => container } : {};
      return read(await changeEndpointOf(deps, { ...update, ...changes }), reply);
    },
    async deleteEndpoint({ accountId, params }) {
      await deleteEndpoint(deps, accountId, params.endpointId);
    },
    async listEndpointWorkers({ accountId, params }) {
      const view = await readEndpoint(deps, accountId, params.endpointId, true);
      return workerListRead(view, deps.clock.now());
    },
    listEndpointReleases: ({ accountId, params, query }) =>
      releasePage(deps, accountId, params.endpointId, query),
    async listEndpointBuilds({ accountId, params, query }) {
      await readEndpoint(deps, accountId, params.endpointId, false);
      const scope = { accountId, operation: `listEndpointBuilds ${params.endpointId}` };
      pageRequest(scope, query);
      return { builds: [], pagination: paginationOf(scope, { next: null }) };
    },
    async getEndpointBuild({ accountId, params }) {
      await readEndpoint(deps, accountId, params.endpointId, false);
      throw new Fault("resource_not_found", { id: params.buildId });
    },
    async streamWorkerLogs({ accountId, params, query, reply }) {
      const { id, endpointId } = await findOwnWorker(deps, accountId, params.workerId);
      if (endpointId !== params.endpointId) throw new Fault("worker_not_found", { id });
      return sendLogStream(deps, await ownWorkerSubject(deps, accountId, id), query, reply);
    },
  });
}

/** The container of a new endpoint; without a port unless it asks for one. */
function settingsFor(body: Parameters<typeof mergedWithTemplate>[0], from: Template | null) {
  const { imageName, ...container } = mergedWithTemplate(body, from?.spec ?? null);
  if (imageName === undefined) {
    const detail = '"image" is missing; it must be an image, or "templateId" a template.';
    throw new Fault("invalid_body", { detail });
  }
  const { category, driver } = from?.spec ?? {};
  return {
    ports: [],
    volumeInGb: 0,
    ...(driver && { driver }),
    ...container,
    imageName,
    isServerless: true,
    ...(category && { category }),
  };
}

/** A version is the position of a release. */
async function releasePage(
  deps: Deps,
  accountId: string,
  endpointId: string,
  query: Parameters<typeof pageRequest>[1],
) {
  const view = await readEndpoint(deps, accountId, endpointId, true);
  const scope = { accountId, operation: `listEndpointReleases ${endpointId}` };
  const { after, limit } = pageRequest(scope, query);
  const all = await releasesOf(deps, accountId, endpointId);
  const first = after ? all.findIndex(({ version }) => version < after.createdAt) : 0;
  const start = first === -1 ? all.length : first;
  const items = all.slice(start, start + limit);
  const last = start + limit < all.length ? items.at(-1) : undefined;
  const next = last ? { createdAt: last.version, id: endpointId } : null;
  return {
    releases: items.map((release, n) => releaseRead(release, all[start + n + 1], view)),
    rollout: rolloutOf(view),
    endpointVersion: view.endpoint.version,
    pagination: paginationOf(scope, { next }),
  };
}
