// Operations of endpoints.

import Type from "typebox";
import { labeledList } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { noContent, pageQuery, pagination } from "../fields.ts";
import { logAnswer, logQuery } from "../log.ts";
import { endpoint, endpointCreate, endpointPatch } from "./endpoint.ts";
import { build, buildPage, releasePage, workerList } from "./fleet.ts";

const tag = "Serverless";
const path = "/v2/serverless/{endpointId}";
const answer = { status: 200, description: "The endpoint.", schema: endpoint } as const;

export const endpointOperations = {
  createEndpoint: {
    method: "POST",
    path: "/v2/serverless",
    tag,
    summary: "Create an endpoint",
    needs: write,
    body: endpointCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listEndpoints: {
    method: "GET",
    path: "/v2/serverless",
    tag,
    summary: "List endpoints",
    description: "Newest first.",
    needs: read,
    query: Type.Object({ ...labeledList.properties, ...pageQuery }),
    answer: {
      status: 200,
      description: "A page of endpoints.",
      schema: Type.Object(
        { endpoints: Type.Array(endpoint), pagination },
        { title: "EndpointPage" },
      ),
    },
  },
  getEndpoint: { method: "GET", path, tag, summary: "Read an endpoint", needs: read, answer },
  updateEndpoint: {
    method: "PATCH",
    path,
    tag,
    summary: "Change an endpoint",
    description:
      "A change of the container or of the hardware is a release: new workers replace the old ones " +
      "as they finish. Other changes take effect in place.",
    needs: write,
    body: endpointPatch,
    answer,
  },
  deleteEndpoint: {
    method: "DELETE",
    path,
    tag,
    summary: "Delete an endpoint",
    description: "Queued jobs end as CANCELLED, running jobs can finish, and workers drain.",
    needs: write,
    answer: noContent("The endpoint is deleted."),
  },
  listEndpointWorkers: {
    method: "GET",
    path: `${path}/workers`,
    tag,
    summary: "List the live workers of an endpoint",
    needs: read,
    answer: { status: 200, description: "The workers.", schema: workerList },
  },
  listEndpointReleases: {
    method: "GET",
    path: `${path}/releases`,
    tag,
    summary: "List the releases of an endpoint",
    description: "Newest first. The rollout describes the workers of now.",
    needs: read,
    query: Type.Object(pageQuery),
    answer: { status: 200, description: "A page of releases.", schema: releasePage },
  },
  listEndpointBuilds: {
    method: "GET",
    path: `${path}/builds`,
    tag,
    summary: "List the builds of an endpoint",
    description: "Always empty: images are not built here.",
    needs: read,
    query: Type.Object({
      ...pageQuery,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    }),
    answer: { status: 200, description: "A page of builds.", schema: buildPage },
  },
  getEndpointBuild: {
    method: "GET",
    path: `${path}/builds/{buildId}`,
    tag,
    summary: "Read a build",
    needs: read,
    answer: { status: 200, description: "The build.", schema: build },
  },
  streamWorkerLogs: {
    method: "GET",
    path: `${path}/workers/{workerId}/logs`,
    tag,
    summary: "Follow a worker's logs",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
} as const satisfies Operations;
