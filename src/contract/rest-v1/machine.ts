// Machines: hosts that offer CPUs and GPUs. Operations of ours.

import Type, { type Static } from "typebox";
import { instant, TAKES } from "../fields.ts";
import type { Operations } from "../operation.ts";

const gpus = Type.Object({
  gpuTypeId: Type.String(),
  count: Type.Integer(),
  free: Type.Integer({ description: "How many of them could be had now." }),
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
    vcpuFree: Type.Integer({ description: "Those that no Pod and no worker has." }),
    memoryFreeInGb: Type.Integer(),
    diskFreeInGb: Type.Integer(),
    gpus: Type.Array(gpus),
    draining: Type.Boolean({ description: "Whether nothing new is placed there." }),
    maintenanceStart: Type.Optional(instant),
    maintenanceEnd: Type.Optional(instant),
    maintenanceNote: Type.Optional(Type.String()),
    lostAt: Type.Optional({ ...instant, description: "When it was given up, with its workers." }),
    gpuDriver: Type.Optional(Type.String({ description: "The version of its GPUs' driver." })),
    cudaVersion: Type.Optional(Type.String()),
    dataCenterId: Type.Optional(Type.String(known("Where it stands."))),
    countryCode: Type.Optional(Type.String(known("Where it stands."))),
    location: Type.Optional(Type.String(known("Where it stands, in words."))),
    cloudType: Type.Optional(Type.Enum(["SECURE", "COMMUNITY"], known("What it counts as."))),
    supportPublicIp: Type.Optional(Type.Boolean()),
    quota: Type.Optional(
      Type.Enum(["enforced", "measured"], {
        description:
          "Whether its engine keeps containers to their disk, or their use is measured and a Pod " +
          "that is full is stopped. Not there: not known yet.",
      }),
    ),
    maxDownloadSpeedMbps: Type.Optional(Type.Number()),
    maxUploadSpeedMbps: Type.Optional(Type.Number()),
    diskThroughputMBps: Type.Optional(Type.Number()),
  },
  { title: "Machine" },
);
const orNull = <Schema extends Type.TSchema>(schema: Schema, takes: string) =>
  Type.Union([schema, Type.Null()], { [TAKES]: `${takes}, or null` });
const when = (description: string) =>
  orNull(Type.String({ format: "date-time", description }), "an instant");

export const machineUpdate = Type.Partial(
  Type.Object({
    draining: Type.Boolean({
      description: "Nothing new is placed there; workers finish and end, Pods stay.",
    }),
    maintenanceStart: when("From then on nothing new is placed there."),
    maintenanceEnd: when("Until then; without it, until it is said."),
    maintenanceNote: orNull(Type.String({ maxLength: 1_000 }), "a string"),
  }),
  { title: "MachineUpdate", additionalProperties: false },
);
export type MachineUpdate = Static<typeof machineUpdate>;

export type Machine = Static<typeof machine>;

export const machineOperations = {
  listMachines: {
    method: "GET",
    path: "/v1/machines",
    tag: "Machines",
    summary: "List the machines and what they offer",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The machines.", schema: Type.Array(machine) },
  },
  updateMachine: {
    method: "PATCH",
    path: "/v1/machines/{machineId}",
    tag: "Machines",
    summary: "Drain a machine, or say when it is worked on",
    description: "For the operator's account. What is left out stays as it is.",
    needs: { of: "rest", access: "write", area: "account" },
    body: machineUpdate,
    answer: { status: 200, description: "The machine.", schema: machine },
  },
} as const satisfies Operations;
