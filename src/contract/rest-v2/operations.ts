// Every operation of REST v2, by its name, and the groups of the OpenAPI document.

import type { Operations } from "../operation.ts";
import { documentOperations } from "../reference.ts";
import { registryOperations } from "./account/registry.ts";
import { secretOperations } from "./account/secret.ts";
import { sshKeyOperations } from "./account/ssh-key.ts";
import { billingOperations } from "./billing/billing.ts";
import { catalogOperations } from "./catalog/catalog.ts";
import { clusterOperations } from "./cluster/cluster-operations.ts";
import { endpointOperations } from "./endpoint/endpoint-operations.ts";
import { podOperations } from "./pod/pod-operations.ts";
import { sandboxOperations } from "./sandbox/sandbox-operations.ts";
import { networkVolumeOperations } from "./storage/network-volume.ts";
import { templateOperations } from "./template/template.ts";

export const operationsV2: Operations = {
  ...podOperations,
  ...clusterOperations,
  ...sandboxOperations,
  ...endpointOperations,
  ...templateOperations,
  ...networkVolumeOperations,
  ...registryOperations,
  ...secretOperations,
  ...sshKeyOperations,
  ...catalogOperations,
  ...billingOperations,
  ...documentOperations("v2"),
};

export const tagsV2 = {
  Pods: "Rented containers.",
  Clusters: "Pods that work together: placed, billed and deleted as one.",
  Sandboxes: "CPU containers with an idle limit and a lifetime, for code that is not trusted.",
  Serverless: "A queue of jobs and the workers that process it.",
  Templates: "An image with its start settings, saved under a name.",
  "Network volumes": "Storage that outlives the Pods and workers that mount it.",
  Registries: "Credentials for the registries of private images.",
  Secrets: "Values that environment variables refer to by name.",
  "SSH keys": "Public keys that Pods receive at start.",
  Catalog: "Hardware types and data centers, with their availability.",
  Billing: "What the account spent, by what it was for.",
  Reference: "The description of this interface.",
};
