// The fields of a template, the defaults of its settings, and which of them take effect in place.

import type { Labels } from "../label/labels.ts";
import type { Owned } from "../member/member.ts";
import type { IdleRule } from "../usage/idle.ts";
import type { MaxLifetime } from "../usage/lifetime.ts";

export interface TemplateSpec {
  imageName: string;
  category: "NVIDIA" | "AMD" | "CPU";
  /**
   * The kind of driver that must run it; null lets the service choose. An extension of Freehold.
   */
  driver: "docker" | "kubernetes" | "process" | "simulated" | null;
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
  env: Record<string, string>;
  ports: string[];
  containerDiskInGb: number;
  containerRegistryAuthId: string;
  volumeInGb: number;
  volumeMountPath: string;
  isPublic: boolean;
  isServerless: boolean;
  readme: string;
  /** True if Pods from it have the image's SSH server and Jupyter reachable. */
  startSsh: boolean;
  startJupyter: boolean;
  /** Allowed CUDA versions of a Pod's machine; empty for any. */
  allowedCudaVersions: string[];
  /** The least memory of a GPU, in GB; absent if any GPU will do, or if it is not known. */
  minGpuMemoryInGb?: number;
  /** Display names, by port. */
  portLabels: Record<string, string>;
  /** For Pods that are created from it; templates of earlier versions have none. */
  stopWhenIdle?: IdleRule | null;
  maxLifetime?: MaxLifetime | null;
  /** Stored for clients; the service does not use it. */
  advancedStart: boolean;
  config: unknown;
}

export interface Template extends Owned {
  id: string;
  accountId: string;
  name: string;
  labels: Labels;
  createdAt: number;
  spec: TemplateSpec;
  /** The endpoint that has it for itself and is deleted with it; absent for a template of its own. */
  boundTo?: string;
}

/** For everything but the image. */
export function defaultTemplate(imageName: string): TemplateSpec {
  return {
    imageName,
    category: "NVIDIA",
    driver: null,
    dockerEntrypoint: [],
    dockerStartCmd: [],
    env: {},
    ports: ["8888/http", "22/tcp"],
    containerDiskInGb: 50,
    containerRegistryAuthId: "",
    volumeInGb: 20,
    volumeMountPath: "/workspace",
    isPublic: false,
    isServerless: false,
    readme: "",
    startSsh: false,
    startJupyter: false,
    allowedCudaVersions: [],
    portLabels: {},
    advancedStart: false,
    config: null,
  };
}

/** Settings that need no new workers; any other change is a release of every endpoint using it. */
export const inPlace = new Set<keyof TemplateSpec>([
  "isPublic",
  "isServerless",
  "readme",
  "startSsh",
  "startJupyter",
  "allowedCudaVersions",
  "minGpuMemoryInGb",
  "portLabels",
  "advancedStart",
  "config",
  "volumeInGb",
  "volumeMountPath",
  "stopWhenIdle",
  "maxLifetime",
]);
