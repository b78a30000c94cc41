// A release: what the workers of one version of an endpoint run. It is a snapshot, so that a later
// change of the template cannot change what an older version means.

import type { Template, TemplateSpec } from "../template/template.ts";
import type { Endpoint, EndpointSpec } from "./endpoint.ts";

/** How many of its releases an endpoint keeps, the current one included. */
export const KEPT_RELEASES = 50;

export interface ReleaseWorkload {
  driver: TemplateSpec["driver"];
  image: string;
  entrypoint: string[];
  command: string[];
  env: Record<string, string>;
  /** The id of the registry auth for the image; empty for none. */
  containerRegistryAuthId: string;
  /** No limit if absent. */
  containerDiskInGb?: number;
  /** A worker mounts the one that is on its machine. */
  networkVolumeIds: string[];
  /** The models in a worker's cache, as the endpoint's settings have them; absent for none. */
  modelReferences?: string[];
  /** The Flash build whose archive a worker gets; absent for none. */
  flashBuildId?: string;
}

export interface Release {
  endpointId: string;
  version: number;
  workload: ReleaseWorkload;
  /** Why the version exists, as text for the user. */
  reason: string;
  createdAt: number;
}

export function workloadOf(
  template: TemplateSpec,
  {
    networkVolumeIds,
    modelReferences = [],
    flashBuildId,
  }: Pick<EndpointSpec, "networkVolumeIds"> &
    Partial<Pick<EndpointSpec, "modelReferences" | "flashBuildId">> = { networkVolumeIds: [] },
): ReleaseWorkload {
  return {
    driver: template.driver,
    image: template.imageName,
    entrypoint: template.dockerEntrypoint,
    command: template.dockerStartCmd,
    env: template.env,
    containerRegistryAuthId: template.containerRegistryAuthId,
    containerDiskInGb: template.containerDiskInGb,
    networkVolumeIds,
    ...(modelReferences.length > 0 && { modelReferences }),
    ...(flashBuildId && { flashBuildId }),
  };
}

/** The release of an endpoint's current version. */
export function releaseOf(
  { id, version, spec }: Pick<Endpoint, "id" | "version" | "spec">,
  template: Template,
  reason: string,
  createdAt: number,
): Release {
  return { endpointId: id, version, workload: workloadOf(template.spec, spec), reason, createdAt };
}
