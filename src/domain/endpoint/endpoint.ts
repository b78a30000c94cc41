// The fields of an Endpoint, the defaults of its settings, and which of them take effect in place.

import { DAY_MS } from "../../base/units.ts";
import type { RetryPolicy } from "../job/retry-policy.ts";
import { type Labels, noLabels } from "../label/labels.ts";
import type { Owned } from "../member/member.ts";

type ScalerType = "QUEUE_DELAY" | "REQUEST_COUNT";

/** `QB` has a queue of jobs; `LB` forwards requests to the HTTP servers of its workers. */
export type EndpointType = "QB" | "LB";

/** The settings a client chooses; all have a value once created. */
export interface EndpointSpec {
  /** Fixed at creation. */
  type: EndpointType;
  computeType: "GPU" | "CPU";
  gpuTypeIds: string[];
  gpuCount: number;
  cpuFlavorIds: string[];
  vcpuCount: number;
  allowedCudaVersions: string[];
  minCudaVersion: string | null;
  dataCenterIds: string[];
  /** The data centers as GraphQL clients sent them, countries included; empty if they did not. */
  locations: string;
  networkVolumeIds: string[];
  /** The models that its workers find in their cache, as addresses of the hub with a revision. */
  modelReferences: string[];
  /** The Flash environment it belongs to; empty for none. */
  flashEnvironmentId: string;
  /** The Flash build whose archive workers get; empty for none. It follows the environment. */
  flashBuildId: string;
  executionTimeoutMs: number;
  /** How long a result is kept; 0 for the default of run and runsync. */
  resultRetentionMs: number;
  /** How long a job is kept that ended without a result; 0 for the default. */
  failureRetentionMs: number;
  /** How long a job that failed or timed out is kept from its end, for a retry by its owner; 0 for no longer than
   * clients see it. */
  deadLetterRetentionMs: number;
  /** What is done about an attempt of a job that fails; null for one more dispatch after a loss. */
  retryPolicy: RetryPolicy | null;
  flashboot: boolean;
  idleTimeout: number;
  scalerType: ScalerType;
  scalerValue: number;
  workersMin: number;
  workersMax: number;
}

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
  deadLetterRetentionMs: 7 * DAY_MS,
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

export interface Endpoint extends Owned {
  id: string;
  accountId: string;
  /** The API key that created it; empty if there is none. */
  keyId: string;
  name: string;
  labels: Labels;
  templateId: string;
  version: number;
  createdAt: number;
  deletedAt: number | null;
  spec: EndpointSpec;
}

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

/** Settings that need no new workers; any other change is a release. */
export const inPlace = new Set<keyof EndpointSpec>([
  "deadLetterRetentionMs",
  "executionTimeoutMs",
  "failureRetentionMs",
  "flashEnvironmentId",
  "flashboot",
  "idleTimeout",
  "locations",
  "resultRetentionMs",
  "retryPolicy",
  "scalerType",
  "scalerValue",
  "workersMax",
  "workersMin",
]);
