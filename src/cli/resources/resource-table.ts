// Every kind of resource that has commands of its own: `freehold pods list`, `freehold keys create`.

import { accountResources } from "./account-resources.ts";
import { credentialResources } from "./credential-resources.ts";
import { machineResources } from "./machine-resource.ts";
import type { Resource } from "./resource.ts";
import { workloadResources } from "./workload-resources.ts";

export const resources: Record<string, Resource> = {
  ...workloadResources,
  ...accountResources,
  ...credentialResources,
  ...machineResources,
};
