// A Pod as it is read. Workers are shown as Pods: those of an endpoint, with its id and version.

import Type, { type Static } from "typebox";
import { env, instant } from "../fields.ts";
import { networkVolume } from "./network-volume.ts";
import { savingsPlan } from "./savings-plan.ts";
import { template } from "./template.ts";

const gpu = Type.Object({
  id: Type.String(),
  count: Type.Integer({ description: "How many it has, or had before it stopped." }),
  displayName: Type.String(),
  securePrice: Type.Number(),
  communityPrice: Type.Number(),
  secureSpotPrice: Type.Number(),
  communitySpotPrice: Type.Number(),
});

const machine = Type.Partial(
  Type.Object({
    gpuTypeId: Type.String(),
    gpuDisplayName: Type.String(),
    cpuTypeId: Type.String(),
    cpuCount: Type.Integer(),
    location: Type.String(),
    dataCenterId: Type.String(),
    diskThroughputMBps: Type.Number(),
    maxDownloadSpeedMbps: Type.Number(),
    maxUploadSpeedMbps: Type.Number(),
    supportPublicIp: Type.Boolean(),
    secureCloud: Type.Boolean(),
    maintenanceStart: instant,
    maintenanceEnd: instant,
    maintenanceNote: Type.String(),
    lostAt: { ...instant, description: "When it was given up: nobody reaches it." },
    costPerHr: Type.Number(),
  }),
);

export const pod = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    desiredStatus: Type.Enum(["RUNNING", "EXITED", "TERMINATED"]),
    image: Type.String(),
    imageName: Type.String({ description: "The same as image." }),
    endpointId: Type.Optional(Type.String({ description: "The endpoint a worker serves." })),
    aiApiId: Type.Optional(Type.String({ description: "The same as endpointId." })),
    slsVersion: Type.Optional(Type.Integer({ description: "The endpoint's version it runs." })),
    templateId: Type.Optional(Type.String()),
    consumerUserId: Type.String({ description: "Whose it is." }),
    machineId: Type.String({ description: "Where it runs." }),
    env,
    containerRegistryAuthId: Type.Optional(
      Type.String({ description: "What opens its image's registry." }),
    ),
    dockerEntrypoint: Type.Optional(Type.Array(Type.String())),
    dockerStartCmd: Type.Optional(Type.Array(Type.String())),
    gpuTypeId: Type.Optional(Type.String({ description: "The same as gpu.id." })),
    gpu: Type.Optional(gpu),
    cpuFlavorId: Type.Optional(Type.String()),
    vcpuCount: Type.Optional(Type.Integer()),
    memoryInGb: Type.Optional(Type.Integer()),
    containerDiskInGb: Type.Integer(),
    volumeInGb: Type.Integer(),
    volumeMountPath: Type.String(),
    gpuCount: Type.Integer(),
    ports: Type.Array(Type.String()),
    portMappings: Type.Record(Type.String(), Type.Integer()),
    publicIp: Type.Union([Type.String(), Type.Null()]),
    costPerHr: Type.Number(),
    adjustedCostPerHr: Type.Number({
      description: "What of costPerHr is charged per hour: without what savings plans pay for.",
    }),
    interruptible: Type.Boolean(),
    locked: Type.Boolean(),
    volumeEncrypted: Type.Boolean(),
    createdAt: instant,
    lastStartedAt: Type.Optional(instant),
    lastStatusChange: Type.String({ description: "What happened last, and when." }),
    stopAfter: Type.Optional(instant),
    terminateAfter: Type.Optional(instant),
    networkVolumeId: Type.Optional(
      Type.String({ description: "What is mounted in the place of a volume of its own." }),
    ),
    machine: Type.Optional(machine),
    networkVolume: Type.Optional(networkVolume),
    savingsPlans: Type.Optional(
      Type.Array(savingsPlan, { description: "Active ones that cover it, or would if it ran." }),
    ),
    template: Type.Optional(template),
  },
  { title: "Pod" },
);
export type Pod = Static<typeof pod>;
