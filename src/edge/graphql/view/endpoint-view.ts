// The GraphQL view of an endpoint: the REST view in the forms that GraphQL clients expect.

import { locationsOf } from "../../../domain/catalog/locations.ts";
import { shortReference, storedReference } from "../../../domain/model/reference.ts";
import type { EndpointView } from "../../../flows/endpoint/read.ts";
import { type EndpointViewDeps, endpointRead } from "../../management/endpoint/endpoint-view.ts";
import { envList, labelList } from "../schema/input.ts";
import { graphqlTemplate } from "./template-view.ts";

export function graphqlEndpoint(deps: EndpointViewDeps, view: EndpointView) {
  const { catalog } = deps;
  const { workers: _, ...rest } = endpointRead(deps, view, { withTemplate: false });
  const { dataCenterIds, locations, flashEnvironmentId } = view.endpoint.spec;
  const { flashBuildId } = view.endpoint.spec;
  return {
    ...rest,
    locations: locationsOf(catalog, dataCenterIds, locations ?? ""),
    minCudaVersion: rest.minCudaVersion ?? null,
    allowedCudaVersions: rest.allowedCudaVersions.join(","),
    modelName: modelNameOf(view.endpoint.spec.modelReferences),
    networkVolumeId: rest.networkVolumeIds[0] ?? null,
    labels: labelList(view.endpoint.labels),
    env: envList(view.template.spec.env),
    template: graphqlTemplate(view.template),
    flashEnvironmentId: flashEnvironmentId || null,
    activeBuildid: flashBuildId || null,
    workersStandby: 0,
    workersPFBTarget: 0,
    compliance: [],
    builds: [],
  };
}

/** The first model, without the address of the hub. */
function modelNameOf([first]: readonly string[]): string | null {
  return first === undefined ? null : shortReference(storedReference(first));
}

export type GraphqlEndpoint = ReturnType<typeof graphqlEndpoint>;
