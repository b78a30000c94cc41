// The default settings of an endpoint.

import { noLabels } from "../label/labels.ts";
import type { Endpoint, EndpointSpec } from "./endpoint.ts";

export const endpointDefaults: EndpointSpec = {
  type: "QB",
  computeType: "GPU",
  gpuTypeIds: [],
  gpuCount: 1,
  cpuFlavorIds: [],
  vcpuCount: 2,
  allowedCudaVersions: [],
  minCudaVersion: null,
  dataCenterIds: [],
  locations: "",
  networkVolumeIds: [],
  modelReferences: [],
  executionTimeoutMs: 600_000,
  resultRetentionMs: 0,
  failureRetentionMs: 0,
  deadLetterRetentionMs: 7 * 24 * 3_600_000,
  retryPolicy: null,
  flashboot: true,
  flashEnvironmentId: "",
  flashBuildId: "",
  idleTimeout: 5,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  workersMin: 0,
  workersMax: 3,
};

export function defaultEndpoint(
  id: string,
  accountId: string,
  templateId: string,
  createdAt: number,
): Endpoint {
  const spec = endpointDefaults;
  return {
    id,
    accountId,
    keyId: "",
    name: id,
    labels: noLabels,
    templateId,
    version: 1,
    createdAt,
    deletedAt: null,
    spec,
  };
}
