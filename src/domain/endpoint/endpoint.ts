// What an Endpoint is made of, and which of its settings take effect in place.

export type ScalerType = "QUEUE_DELAY" | "REQUEST_COUNT";

/** The settings a client chooses; all have a value once created. */
export interface EndpointSpec {
  computeType: "GPU" | "CPU";
  gpuTypeIds: string[];
  gpuCount: number;
  cpuFlavorIds: string[];
  vcpuCount: number;
  allowedCudaVersions: string[];
  minCudaVersion: string | null;
  dataCenterIds: string[];
  networkVolumeIds: string[];
  executionTimeoutMs: number;
  flashboot: boolean;
  idleTimeout: number;
  scalerType: ScalerType;
  scalerValue: number;
  workersMin: number;
  workersMax: number;
}

export interface Endpoint {
  id: string;
  accountId: string;
  /** Of the API key it was made with; empty where there is none. */
  keyId: string;
  name: string;
  templateId: string;
  version: number;
  createdAt: number;
  deletedAt: number | null;
  spec: EndpointSpec;
}

/** Settings that need no new workers; any other change is a release. */
export const inPlace = new Set<keyof EndpointSpec>([
  "executionTimeoutMs",
  "flashboot",
  "idleTimeout",
  "scalerType",
  "scalerValue",
  "workersMax",
  "workersMin",
]);
