// The default settings of a template, for everything but the image.

import type { TemplateSpec } from "./template.ts";

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
