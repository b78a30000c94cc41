// A release: what the workers of one version of an endpoint run. It is a snapshot, so that a later
// change of the template cannot change what an older version means.

import type { Template, TemplateSpec } from "../template/template.ts";
import type { Endpoint } from "./endpoint.ts";

export interface ReleaseWorkload {
  driver: TemplateSpec["driver"];
  image: string;
  entrypoint: string[];
  command: string[];
  env: Record<string, string>;
}

export interface Release {
  endpointId: string;
  version: number;
  workload: ReleaseWorkload;
  /** Why there is this version, for people. */
  reason: string;
  createdAt: number;
}

export function workloadOf(template: TemplateSpec): ReleaseWorkload {
  return {
    driver: template.driver,
    image: template.imageName,
    entrypoint: template.dockerEntrypoint,
    command: template.dockerStartCmd,
    env: template.env,
  };
}

/** The release of an endpoint's present version. */
export function releaseOf(
  { id, version }: Pick<Endpoint, "id" | "version">,
  template: Template,
  reason: string,
  createdAt: number,
): Release {
  return { endpointId: id, version, workload: workloadOf(template.spec), reason, createdAt };
}
