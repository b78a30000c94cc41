// Fields of the GraphQL schema that are empty in the answers of the test's service, by reason.

const absent: Record<string, string[]> = {
  "Flash builds have tests of their own; this service has none.": [
    "FlashApp.flashBuilds",
    "FlashEnvironment.activeBuildId",
    "FlashEnvironment.activeArtifact",
    "FlashEnvironment.endpoints",
    "FlashEnvironment.networkVolumes",
    "Endpoint.activeBuildid",
    "Endpoint.flashEnvironmentId",
  ],
  "The hub, builds from repositories and the model repository are not offered.": [
    "Query.allAiApiPublicConfigs",
    "Query.listings",
    "Query.myModels",
    "Endpoint.builds",
    "Endpoint.hubRelease",
    "Endpoint.hubReleaseId",
    "Endpoint.repo",
    "Endpoint.idePodId",
    "Pod.hubReleaseId",
    "Pod.ideAiApiId",
    "GpuType.nodeGroupGpuSizes",
  ],
  "Moves of Pods are not offered.": ["User.activeMigrations"],
  "There is no cluster in the test's service; roles are of types that are not offered.": [
    "User.cluster",
    "User.clusters",
    "Pod.clusterCidr",
    "Pod.clusterId",
    "Pod.clusterIdx",
    "Pod.clusterIp",
    "Pod.clusterRole",
  ],
  "Not offered: encryption, global networking, certifications, burstable CPUs, start scripts, S3.":
    [
      "Pod.volumeEncrypted",
      "Pod.volumeKey",
      "DataCenter.globalNetwork",
      "PodMachineInfo.globalNetwork",
      "DataCenter.compliance",
      "Endpoint.compliance",
      "LowestPrice.compliance",
      "CpuFlavor.vcpuBurstable",
      "PodTemplate.startScript",
      "DataCenter.s3apiEnabled",
      "User.multiFactorEnabled",
    ],
  "Plans of this length are not offered.": [
    "GpuType.oneMonthPrice",
    "GpuType.oneWeekPrice",
    "GpuType.oneYearPrice",
  ],
  "Workers are not kept beside those that workersMin and the scaler ask for.": [
    "Endpoint.workersPFBTarget",
    "Endpoint.workersStandby",
  ],
  "A secret is never answered.": [
    "ContainerRegistryAuth.registryAuth",
    "Endpoint.aiKey",
    "Pod.apiKey",
    "Pod.registry",
  ],
  "Details of the operator's machines and networks are not for tenants.": [
    "DataCenter.storage",
    "MachineSystem.privateIp",
    "MachineSystem.publicIp",
    "PodMachineInfo.runpodIp",
    "IpAddress.networkRangeId",
    "Pod.dockerId",
  ],
  "The catalog does not hold it.": [
    "CpuType.manufacturer",
    "GpuType.cudaCores",
    "GpuType.throughput",
  ],
  "The product has nothing like it: bonuses, referrals, notifications by mail, quotas of the host.":
    [
      "User.creditBalance",
      "User.referralEarned",
      "User.referralId",
      "User.templateEarned",
      "User.notifyLowBalance",
      "User.notifyOther",
      "User.notifyPodsGeneral",
      "User.notifyPodsStale",
      "User.serverlessDiscount",
      "User.spendLimit",
      "User.machineQuota",
      "User.maxServerlessConcurrency",
      "PodTemplate.earned",
      "PodTemplate.runtimeInMin",
      "PodTemplate.presentationOrder",
      "Pod.testPod",
      "Pod.costMultiplier",
      "LowestPrice.minDisk",
      "Secret.lastRetrievedAt",
    ],
  "No public client says what it holds.": ["Pod.machineType", "PodMachineInfo.machineType"],
  "Workloads are stopped when the balance reaches 0.": ["User.minBalance"],
};

/** Facts that this service happens not to show. */
const unshown: Record<string, string[]> = {
  "True, and empty in this service: no member, no team, credits left, no engine, idle workers.": [
    "ApiKey.memberId",
    "User.email",
    "User.isTeam",
    "User.underBalance",
    "Pod.createdBy",
    "PodTemplate.createdBy",
    "Endpoint.createdBy",
    "NetworkVolume.createdBy",
    "ContainerRegistryAuth.createdBy",
    "Secret.createdBy",
    "MachineSystem.dockerVersion",
    "WorkerState.initializing",
    "WorkerState.running",
    "WorkerState.unhealthy",
    "WorkerState.throttled",
    "ApiKey.lastUsedAt",
  ],
  "Simulated GPUs and the simulated driver have no use to measure.": [
    "GpuTelemetry.memoryUtilization",
    "GpuTelemetry.percentUtilization",
    "GpuTelemetry.powerWatts",
    "GpuTelemetry.temperatureCelcius",
    "PodRuntimeContainer.memoryPercent",
    "PodRuntimeGpus.gpuUtilPercent",
    "PodRuntimeGpus.memoryUtilPercent",
    "PodTelemetry.memoryUtilization",
  ],
};

const fieldsOf = (reasons: Record<string, string[]>) => new Set(Object.values(reasons).flat());

/** Fields that are always empty. */
export const absentFields = fieldsOf(absent);
/** Fields that may be empty in the test. */
export const unshownFields = fieldsOf(unshown);
