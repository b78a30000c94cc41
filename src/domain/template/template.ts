// What a Template is made of, and which of its settings take effect in place.

export interface TemplateSpec {
  imageName: string;
  category: "NVIDIA" | "AMD" | "CPU";
  /** Which kind of driver must run it; null leaves that to the machine. Our extension. */
  driver: "docker" | "process" | "fake" | null;
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
  /** Whether Pods from it have the image's SSH server and Jupyter reachable. */
  startSsh: boolean;
  startJupyter: boolean;
  /** Names for people, by port. */
  portLabels: Record<string, string>;
  /** Kept for clients, and looked at by nobody else. */
  advancedStart: boolean;
  config: unknown;
}

export interface Template {
  id: string;
  accountId: string;
  name: string;
  createdAt: number;
  spec: TemplateSpec;
}

/** Settings that need no new workers; any other change is a release of every endpoint using it. */
export const inPlace = new Set<keyof TemplateSpec>([
  "isPublic",
  "isServerless",
  "readme",
  "startSsh",
  "startJupyter",
  "portLabels",
  "advancedStart",
  "config",
  "volumeInGb",
  "volumeMountPath",
]);
