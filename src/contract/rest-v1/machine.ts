// Machines: hosts that offer CPUs and GPUs. Operations of ours.

import Type, { type Static } from "typebox";
import { instant, name, TAKES } from "../fields.ts";
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
    name: Type.Optional(Type.String({ description: "For people." })),
    address: Type.Optional(
      Type.String({ description: "Where it is reached. Not there: a server runs on it." }),
    ),
    hostKey: Type.Optional(Type.String({ description: "What its SSH server showed first." })),
    trouble: Type.Optional(
      Type.String({ description: "Why nothing can be placed on it, in a sentence." }),
    ),
    online: Type.Boolean({ description: "Whether it was heard of lately." }),
    seenAt: Type.Optional({ ...instant, description: "Not there: it was not reached yet." }),
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

const BYTE = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
const IPV4 = `^${BYTE}(?:\\.${BYTE}){3}$`;
const amount = Type.Number({ minimum: 0 });
const some = Type.Integer({ minimum: 1 });

/** What nobody can see of a machine, and what is to be offered instead of what was seen. */
export const machineDeclared = Type.Partial(
  Type.Object({
    dataCenterId: Type.String(),
    countryCode: Type.String(),
    location: Type.String(),
    cloudType: Type.Enum(["SECURE", "COMMUNITY"]),
    cudaVersion: Type.String(),
    downloadMbps: amount,
    uploadMbps: amount,
    diskMBps: amount,
    supportPublicIp: Type.Boolean(),
    vcpus: some,
    memoryInGb: some,
    diskInGb: some,
  }),
  { additionalProperties: false },
);

const flag = (description: string) => Type.Boolean({ default: false, description });
const counts = (description: string) =>
  Type.Unsafe<Record<string, number>>(
    Type.Object(
      {},
      { description, additionalProperties: Type.Integer({ minimum: 0, maximum: 900 }) },
    ),
  );
const pem = (description: string) =>
  Type.String({ minLength: 1, maxLength: 32_768, writeOnly: true, description });

export const machineCreate = Type.Object(
  {
    address: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "ssh://user@host, ssh://user@host:port/socket, or tcp://host:port with TLS.",
    }),
    name: Type.Optional(name),
    identity: Type.Optional(
      pem("A private key for ssh://; left out, the keys and the agent of the server's own user."),
    ),
    tls: Type.Optional(
      Type.Object(
        { ca: pem("As PEM has it."), cert: pem("Ours."), key: pem("Ours.") },
        { additionalProperties: false, description: "For tcp://. Never shown again." },
      ),
    ),
    declare: Type.Optional(machineDeclared),
    virtualGpus: Type.Optional(counts("GPUs that exist only on paper, by type.")),
    gpus: Type.Optional(counts("Real ones, by type, where they cannot be looked at.")),
    publicIp: Type.Optional(
      Type.String({
        pattern: IPV4,
        [TAKES]: "an IPv4 address",
        description: "Where its Pods' public ports are reached.",
      }),
    ),
  },
  { title: "MachineCreate", additionalProperties: false },
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
    hostKey: Type.Null({
      [TAKES]: "null",
      description: "Forgets it: the next one that its SSH server shows is taken.",
    }),
  }),
  { title: "MachineUpdate", additionalProperties: false },
);
export type MachineCreate = Static<typeof machineCreate>;
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
  addMachine: {
    method: "POST",
    path: "/v1/machines",
    tag: "Machines",
    summary: "Add a machine at an address of its own",
    description:
      "For the operator's account. It is reached soon after; `online` says that it was, `trouble` " +
      "why it was not.",
    needs: { of: "rest", access: "write", area: "account" },
    body: machineCreate,
    answer: { status: 201, description: "The machine.", schema: machine },
  },
  removeMachine: {
    method: "DELETE",
    path: "/v1/machines/{machineId}",
    tag: "Machines",
    summary: "Remove a machine at an address of its own",
    description: "For the operator's account. Refused while Pods, workers or volumes are there.",
    needs: { of: "rest", access: "write", area: "account" },
    query: Type.Partial(
      Type.Object({
        force: flag("With all that is there: its Pods and volumes are gone, with their data."),
      }),
    ),
    answer: { status: 204, description: "It is no machine of the service any more." },
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
