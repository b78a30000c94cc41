// An endpoint as GraphQL clients read it: the management interface's own view of it, in the other forms
// that they expect.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { locationsOf } from "../../domain/catalog/locations.ts";
import type { EndpointView } from "../../flows/endpoint/read.ts";
import { endpointRead } from "../rest-v1/endpoint-read.ts";
import { envList } from "./given.ts";
import { graphqlTemplate } from "./template-read.ts";

export function graphqlEndpoint(catalog: Catalog, view: EndpointView) {
  const { workers: _, ...rest } = endpointRead({ catalog }, view, false);
  return {
    ...rest,
    locations: locationsOf(catalog, view.endpoint.spec.dataCenterIds),
    minCudaVersion: rest.minCudaVersion ?? null,
    allowedCudaVersions: rest.allowedCudaVersions.join(","),
    networkVolumeId: rest.networkVolumeIds[0] ?? null,
    type: "QB",
    env: envList(view.template.spec.env),
    template: graphqlTemplate(view.template),
    workersStandby: 0,
    workersPFBTarget: 0,
    compliance: [],
    builds: [],
    workerState: [],
    webhookRequests: [],
  };
}

export type GraphqlEndpoint = ReturnType<typeof graphqlEndpoint>;
