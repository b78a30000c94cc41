// Every operation of the interfaces that public clients speak, by the names that the witness uses.

import { buildSchema } from "graphql";
import { schemaText } from "../../src/contract/graphql/text.ts";
import { openapi } from "../../src/contract/openapi.ts";
import { operationsV2 } from "../../src/contract/rest-v2/operations.ts";

export interface Interface {
  title: string;
  operations: string[];
}

/** The worker routes, which are not in the OpenAPI document. */
export const WORKER_ROUTES = [
  "GET /v2/{endpointId}/job-take/{workerId}",
  "GET /v2/{endpointId}/job-take-batch/{workerId}",
  "GET /v2/{endpointId}/job-stop/{workerId}",
  "POST /v2/{endpointId}/job-stream/{workerId}/{jobId}",
  "POST /v2/{endpointId}/job-done/{workerId}/{jobId}",
  "GET /v2/{endpointId}/ping/{workerId}",
];

export function interfaces(): Interface[] {
  const schema = buildSchema(schemaText);
  const queries = Object.keys(schema.getQueryType()!.getFields());
  const mutations = Object.keys(schema.getMutationType()!.getFields());
  return [
    { title: "Queue", operations: routesOf(["Queue"]) },
    { title: "Worker protocol", operations: WORKER_ROUTES },
    { title: "GraphQL queries", operations: queries.map((name) => `query ${name}`) },
    { title: "GraphQL mutations", operations: mutations.map((name) => `mutation ${name}`) },
    { title: "REST v1", operations: routesOf(SPECIFIED) },
    { title: "REST v2", operations: routesOfV2() },
  ];
}

/** The resources of REST v1 that the platform has too; all others are Freehold's own. */
const SPECIFIED = [
  "Pods",
  "Endpoints",
  "Templates",
  "Network volumes",
  "Container registry auths",
  "Billing",
];

/** Without the routes of the document, which belong to this service. */
function routesOfV2(): string[] {
  return Object.values(operationsV2)
    .filter(({ tag }) => tag !== "Reference")
    .map(({ method, path }) => `${method} ${path}`);
}

function routesOf(nouns: string[]): string[] {
  return Object.entries(openapi().paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => nouns.includes(tags[0]!))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}
