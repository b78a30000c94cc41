// Machines: hosts that offer CPUs and GPUs. Operations of ours.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const gpus = Type.Object({
  gpuTypeId: Type.String(),
  count: Type.Integer(),
  memoryInGb: Type.Integer({ description: "Of each." }),
  virtual: Type.Boolean({ description: "True where they exist only on paper." }),
});

const known = (description: string) => ({ description: `${description} Not there: not declared.` });

export const machine = Type.Object(
  {
    id: Type.String(),
    online: Type.Boolean({ description: "Whether it was heard of lately." }),
    seenAt: instant,
    drivers: Type.Array(Type.String(), { description: "What can run workloads there." }),
    vcpuCount: Type.Integer(),
    memoryInGb: Type.Integer(),
    diskInGb: Type.Integer(),
    gpus: Type.Array(gpus),
    gpuDriver: Type.Optional(Type.String({ description: "The version of its GPUs' driver." })),
    cudaVersion: Type.Optional(Type.String()),
    dataCenterId: Type.Optional(Type.String(known("Where it stands."))),
    countryCode: Type.Optional(Type.String(known("Where it stands."))),
    location: Type.Optional(Type.String(known("Where it stands, in words."))),
    cloudType: Type.Optional(Type.Enum(["SECURE", "COMMUNITY"], known("What it counts as."))),
    supportPublicIp: Type.Optional(Type.Boolean()),
    maxDownloadSpeedMbps: Type.Optional(Type.Number()),
    maxUploadSpeedMbps: Type.Optional(Type.Number()),
    diskThroughputMBps: Type.Optional(Type.Number()),
  },
  { title: "Machine" },
);
export type Machine = Static<typeof machine>;

export const machineOperations = {
  listMachines: {
    method: "GET",
    path: "/v1/machines",
    tag: "Machines",
    summary: "List the machines and what they offer",
    needs: { of: "rest", access: "read" },
    answer: { status: 200, description: "The machines.", schema: Type.Array(machine) },
  },
} as const satisfies Operations;
