// A Pod as it is read. Workers are shown as Pods: those of an endpoint, with its id and version.

import Type, { type Static } from "typebox";
import { env, instant } from "../fields.ts";

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
    containerDiskInGb: Type.Integer(),
    volumeInGb: Type.Integer(),
    volumeMountPath: Type.String(),
    gpuCount: Type.Integer(),
    ports: Type.Array(Type.String()),
    portMappings: Type.Record(Type.String(), Type.Integer()),
    publicIp: Type.Union([Type.String(), Type.Null()]),
    costPerHr: Type.Number(),
    adjustedCostPerHr: Type.Number(),
    interruptible: Type.Boolean(),
    locked: Type.Boolean(),
    volumeEncrypted: Type.Boolean(),
    createdAt: instant,
    lastStartedAt: Type.Optional(instant),
    lastStatusChange: Type.String({ description: "What happened last, and when." }),
  },
  { title: "Pod" },
);
export type Pod = Static<typeof pod>;
