// The fields of REST v1 and what REST v2 names them, for error messages.

const names: Record<string, string> = {
  imageName: "image",
  dockerStartCmd: "cmd",
  dockerEntrypoint: "entrypoint",
  dockerArgs: "args",
  containerDiskInGb: "disk",
  containerRegistryAuthId: "registry",
  volumeInGb: "mounts.persistent.size",
  volumeMountPath: "mounts.persistent.path",
  networkVolumeId: "mounts.network",
  networkVolumeIds: "networkVolumes",
  gpuTypeIds: "gpu",
  gpuTypeId: "gpu.id",
  gpuIds: "gpu.pools",
  gpuCount: "gpu.count",
  allowedCudaVersions: "gpu.allowedCudaVersions",
  minCudaVersion: "gpu.minCudaVersion",
  minRAMPerGPU: "gpu.minRamPerGpu",
  minVCPUPerGPU: "gpu.minVcpuCountPerGpu",
  cpuFlavorIds: "cpu",
  cpuFlavorId: "cpu.id",
  vcpuCount: "cpu.vcpuCount",
  computeType: "gpu or cpu",
  cloudType: "cloud",
  locations: "dataCenterIds",
  dataCenterId: "dataCenter",
  workersMin: "workers.min",
  workersMax: "workers.max",
  idleTimeout: "workers.idleTimeout",
  scalerType: "scaling.type",
  scalerValue: "scaling.queueDelay or scaling.requestCount",
  executionTimeoutMs: "timeout",
  isServerless: "serverless",
  isPublic: "public",
  desiredStatus: "status",
  costPerHr: "cost",
  flashBootType: "flashboot",
};

/** The name in REST v2 of a field of REST v1; undefined if it has none or the same. */
export function v2NameOf(name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** Replaces the quoted names of fields in a sentence. */
export function toV2Names(sentence: string): string {
  return sentence.replace(/"(\w+)"/g, (whole, name: string) => {
    const renamed = v2NameOf(name);
    return renamed === undefined ? whole : `"${renamed}"`;
  });
}
