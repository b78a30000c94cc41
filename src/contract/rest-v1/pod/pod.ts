// A Pod in responses. Workers are returned as Pods that have an endpointId and a version.

import Type, { type Static } from "typebox";
import { createdBy, env, instant } from "../../fields.ts";
import { idleRule, ownIdleRule } from "../../idle-rule.ts";
import { maxLifetime } from "../../max-lifetime.ts";
import { podV1Fields } from "../../resource/pod.ts";
import { savingsPlan } from "../billing/savings-plan.ts";
import { networkVolume } from "../storage/network-volume.ts";
import { template } from "../template/template.ts";

const planPrice = (length: string) =>
  Type.Number({
    description: `Dollars per GPU-hour with a ${length} savings plan; securePrice if none is offered.`,
  });

const gpu = Type.Object({
  id: Type.String(),
  count: Type.Integer({ description: "Number of GPUs, or the number before the Pod stopped." }),
  displayName: Type.String(),
  virtual: Type.Boolean({
    description: "Whether the GPUs are simulated: the container has no device.",
  }),
  securePrice: Type.Number(),
  communityPrice: Type.Number(),
  oneWeekPrice: planPrice("one-week"),
  oneMonthPrice: planPrice("one-month"),
  threeMonthPrice: planPrice("three-month"),
  sixMonthPrice: planPrice("six-month"),
  secureSpotPrice: Type.Number(),
  communitySpotPrice: Type.Number(),
});

const cpuType = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  cores: Type.Integer(),
  threadsPerCore: Type.Integer(),
  groupId: Type.String(),
});

const unknownIf = (description: string) =>
  Type.String({ description: `${description} "unknown" if the machine declares none.` });

const machine = Type.Object({
  minPodGpuCount: Type.Integer({ description: "The fewest GPUs that a Pod can rent." }),
  gpuTypeId: Type.Optional(Type.String()),
  gpuDisplayName: Type.Optional(Type.String()),
  gpuType: Type.Optional({
    ...gpu,
    description: "The type of the Pod's GPUs; count is the number on the machine.",
  }),
  gpuAvailable: Type.Integer({ description: "Free GPUs of this type on the machine." }),
  currentPricePerGpu: Type.Optional(Type.Number({ description: "Dollars per GPU-hour." })),
  cpuTypeId: Type.Optional(Type.String({ description: "The CPU flavor, or the CPU's model." })),
  cpuType: Type.Optional(cpuType),
  cpuCount: Type.Optional(Type.Integer()),
  location: unknownIf("A city, a region or a country."),
  dataCenterId: unknownIf("The data center; the first that the Pod asked for, if any."),
  diskThroughputMBps: Type.Optional(Type.Integer()),
  maxDownloadSpeedMbps: Type.Optional(Type.Integer()),
  maxUploadSpeedMbps: Type.Optional(Type.Integer()),
  supportPublicIp: Type.Boolean(),
  secureCloud: Type.Boolean(),
  maintenanceStart: Type.Optional(instant),
  maintenanceEnd: Type.Optional(instant),
  maintenanceNote: Type.Optional(Type.String()),
  lostAt: Type.Optional({ ...instant, description: "When the machine was declared lost." }),
  note: Type.String({
    description: "What a tenant should know of the machine; empty for nothing.",
  }),
  costPerHr: Type.Number(),
});

const runtime = Type.Object(
  {
    uptimeSeconds: Type.Integer({ description: "Whole seconds since the container started." }),
  },
  { description: "The container; absent while none runs." },
);

const failure = Type.Object(
  {
    code: Type.Enum(["crashed", "start_failed", "machine_lost", "unhealthy"]),
    exitCode: Type.Optional(Type.Integer({ description: "The exit code of the last crash." })),
    signal: Type.Optional(
      Type.String({ description: "The signal that ended the container, such as SIGKILL." }),
    ),
  },
  { description: "Why the status is ERROR; absent otherwise." },
);

const queued = Type.Object(
  {
    since: instant,
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "1 is next in line. Counts the earlier requests that wait for something it needs; absent once it has left the line.",
      }),
    ),
    waitsFor: Type.Optional(
      Type.Object(
        {
          code: Type.Enum(["no_capacity", "quota_exceeded", "no_credits", "budget_spent"]),
          message: Type.String(),
        },
        { description: "Absent once it has left the line." },
      ),
    ),
    refused: Type.Optional(
      Type.Object(
        { at: instant, reason: Type.String() },
        { description: "Why it left the line without a Pod. It is shown for 24 hours." },
      ),
    ),
  },
  {
    description:
      "The place in line of a Pod that was not created yet; absent for all others. An extension of Freehold.",
  },
);

export const pod = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    desiredStatus: Type.Enum(["RUNNING", "EXITED", "TERMINATED"]),
    status: Type.Enum(
      ["QUEUED", "PROVISIONING", "STARTING", "RUNNING", "EXITED", "ERROR", "TERMINATED"],
      {
        description:
          "What the Pod is, while desiredStatus is what was requested: QUEUED while it waits in line, STARTING while its image is pulled, ERROR after repeated crashes.",
      },
    ),
    queued: Type.Optional(queued),
    failure: Type.Optional(failure),
    image: Type.String(),
    imageName: Type.String({ description: "The same as image." }),
    endpointId: Type.Optional(Type.String({ description: "The endpoint of a worker." })),
    aiApiId: Type.Optional(Type.String({ description: "The same as endpointId." })),
    slsVersion: Type.Optional(
      Type.Integer({ description: "The endpoint's version that the worker runs." }),
    ),
    templateId: Type.Optional(Type.String()),
    consumerUserId: Type.String({ description: "The account of the Pod." }),
    machineId: Type.String({ description: "The machine of the Pod; empty while it is queued." }),
    simulated: Type.Optional(
      Type.Boolean({
        description:
          "True if it exists only in memory, and its image does not run; absent for a container or process.",
      }),
    ),
    env,
    containerRegistryAuthId: Type.Optional(
      Type.String({ description: "The container registry auth for the image." }),
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
      description: "The part of costPerHr that savings plans do not cover.",
    }),
    interruptible: Type.Boolean(),
    locked: Type.Boolean(),
    volumeEncrypted: Type.Boolean(),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    ...podV1Fields,
    lastStartedAt: Type.Optional(instant),
    lastStatusChange: Type.String({ description: "The last event and its time." }),
    stopAfter: Type.Optional(instant),
    stopWhenIdle: Type.Optional(ownIdleRule),
    idlePolicy: Type.Optional(
      Type.Object(
        {
          ...idleRule.properties,
          from: Type.Enum(["pod", "template", "project"]),
          project: Type.Optional(
            Type.String({ description: "The name of the project that it comes from." }),
          ),
        },
        {
          description:
            "The rule that holds: the Pod's own stopWhenIdle, else that of its template as it was created, else that of its owner's project. Absent if none does. An extension of Freehold.",
        },
      ),
    ),
    idle: Type.Optional(
      Type.Object(
        { since: instant, stopsAt: instant },
        {
          description:
            "Since when the Pod counts as idle, and when it is stopped unless it is used. `since` is to come if the Pod is kept.",
        },
      ),
    ),
    maxLifetime: Type.Optional(maxLifetime),
    exemption: Type.Optional(
      Type.Object(
        {
          id: Type.String(),
          podId: Type.Optional(Type.String()),
          memberId: Type.Optional(Type.String()),
          projectId: Type.Optional(Type.String()),
          label: Type.Optional(Type.String()),
          until: Type.Optional(instant),
          reason: Type.String(),
          byOperator: Type.Boolean(),
        },
        {
          description:
            "The exemption by which the Pod is not stopped for being idle, and has no maximum lifetime but the operator's, " +
            "or none if byOperator. Absent if none holds. An extension of Freehold.",
        },
      ),
    ),
    lifetime: Type.Optional(
      Type.Object(
        {
          minutes: Type.Integer(),
          extendable: Type.Boolean(),
          from: Type.Enum(["pod", "template", "project", "account"]),
          project: Type.Optional(
            Type.String({ description: "The name of the project that it comes from." }),
          ),
          since: Type.Optional({ ...instant, description: "When the Pod was started." }),
          stopsAt: Type.Optional({ ...instant, description: "When the Pod stops." }),
        },
        {
          description:
            "The maximum that ends the Pod first: its own maxLifetime, that of its template as it was created, that of its " +
            "owner's project, or the operator's for the account. Absent if none holds. An extension of Freehold.",
        },
      ),
    ),
    terminateAfter: Type.Optional(instant),
    runtime: Type.Optional(runtime),
    networkVolumeId: Type.Optional(
      Type.String({
        description: "The network volume that is mounted instead of the Pod's own volume.",
      }),
    ),
    machine: Type.Optional(machine),
    networkVolume: Type.Optional(networkVolume),
    savingsPlans: Type.Optional(
      Type.Array(savingsPlan, {
        description: "Active savings plans that cover the Pod, or would cover it if it ran.",
      }),
    ),
    template: Type.Optional(template),
  },
  { title: "Pod" },
);
export type Pod = Static<typeof pod>;
