// Machines: hosts that offer CPUs and GPUs. Operations of Freehold's own.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { machineMetricsAnswer, machineMetricsQuery } from "../observe/metrics.ts";
import { clusterSettings } from "./cluster-settings.ts";
import { gpuDevice, gpuFault } from "./gpu.ts";
import { machineCreate, machineUpdate } from "./machine-write.ts";

const gpus = Type.Object({
  gpuTypeId: Type.String(),
  count: Type.Integer(),
  free: Type.Integer({ description: "How many of them are free." }),
  memoryInGb: Type.Integer({ description: "Memory of each GPU." }),
  virtual: Type.Boolean({ description: "Whether they are simulated GPUs." }),
});

const declared = (description: string) => ({
  description: `${description} Absent if not declared.`,
});

const unknownInstallation = Type.Object(
  {
    id: Type.String(),
    containers: Type.Integer(),
    running: Type.Integer({ description: "How many of the containers run." }),
    networks: Type.Integer(),
    volumes: Type.Integer(),
    removing: Type.Boolean({ description: "Whether a removal was requested and is not done." }),
  },
  { title: "UnknownInstallation" },
);

const machineFabric = Type.Object(
  {
    name: Type.String(),
    address: Type.String({ description: "The machine's address in it." }),
    joined: Type.Boolean({ description: "Whether clusters may use it." }),
    trouble: Type.Optional(Type.String({ description: "Why it has not joined." })),
  },
  { title: "MachineFabric" },
);

const machine = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(
      Type.String({
        description:
          "Display name; of a node, its name in the cluster; of a machine with a replica, its host name, which only the operator sees.",
      }),
    ),
    address: Type.Optional(
      Type.String({
        description: "The address of a remote machine. Absent if a replica runs on the machine.",
      }),
    ),
    hostKey: Type.Optional(
      Type.String({ description: "The host key that its SSH server presented first." }),
    ),
    trouble: Type.Optional(
      Type.String({
        description:
          "Why nothing can be placed on it, why its container engine cannot be used, why not all of its GPUs can be, or which containers do not end.",
      }),
    ),
    cluster: Type.Optional(
      Type.String({
        description:
          "The id of the Kubernetes cluster that it is a node of. Removing that id removes the cluster.",
      }),
    ),
    settings: Type.Optional(clusterSettings),
    closed: Type.Optional(
      Type.String({ description: "Why its node takes nothing new, such as a cordon or a taint." }),
    ),
    isolation: Type.Optional(
      Type.Enum(["proven", "unproven"], {
        description:
          "Of a cluster and its nodes: whether connections between the Pods of different accounts were " +
          "seen to be refused. Absent before the first test.",
      }),
    ),
    isolationTrouble: Type.Optional(Type.String({ description: "Why it is not proven." })),
    callsBack: Type.Optional(
      Type.Boolean({
        description:
          "Of a cluster and its nodes: whether a Pod reached Freehold. Absent before the first test.",
      }),
    ),
    notices: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "What should be corrected on the machine, such as its clock, or in a cluster. Only the operator sees it.",
      }),
    ),
    unknownInstallations: Type.Optional(
      Type.Array(unknownInstallation, {
        description:
          "What other installations of Freehold have on its engine. Freehold leaves it alone until " +
          "you remove it. Absent if there is nothing; only the operator sees it.",
      }),
    ),
    online: Type.Boolean({ description: "Whether its heartbeat is recent." }),
    seenAt: Type.Optional({
      ...instant,
      description: "The last heartbeat. Absent if it was never reached.",
    }),
    drivers: Type.Array(Type.String(), {
      description: "The drivers that can run workloads on it.",
    }),
    vcpuCount: Type.Integer(),
    memoryInGb: Type.Integer(),
    diskInGb: Type.Integer(),
    vcpuFree: Type.Integer({
      description: "Virtual CPUs that no Pod and no worker holds, over-committed ones included.",
    }),
    cpuOvercommit: Type.Optional(
      Type.Number({
        description:
          "How many times vcpuCount may be given to workloads, which share the CPUs; absent for once. " +
          "One workload gets at most vcpuCount.",
      }),
    ),
    memoryFreeInGb: Type.Integer(),
    diskFreeInGb: Type.Integer(),
    gpus: Type.Array(gpus),
    unhealthyGpus: Type.Optional(
      Type.Array(gpuFault, {
        description: "The GPUs among `gpus` that no new workload gets. Absent if all can be used.",
      }),
    ),
    gpuDevices: Type.Optional(
      Type.Array(gpuDevice, {
        description:
          "Its real GPUs one by one. Absent if their UUIDs are not known; only the operator sees it.",
      }),
    ),
    simulated: Type.Optional(
      Type.Boolean({
        description:
          "True if its CPUs, memory and disk are simulated, as no container engine answers.",
      }),
    ),
    draining: Type.Boolean({ description: "Whether it accepts no new Pods and workers." }),
    maintenanceStart: Type.Optional(instant),
    maintenanceEnd: Type.Optional(instant),
    maintenanceNote: Type.Optional(Type.String()),
    lostAt: Type.Optional({
      ...instant,
      description: "When it was declared lost, with its workers.",
    }),
    gpuDriver: Type.Optional(Type.String({ description: "The GPU driver's version." })),
    cudaVersion: Type.Optional(Type.String()),
    dataCenterId: Type.Optional(Type.String(declared("The machine's data center."))),
    countryCode: Type.Optional(Type.String(declared("The machine's country."))),
    location: Type.Optional(Type.String(declared("The machine's location in words."))),
    cloudType: Type.Optional(
      Type.Enum(["SECURE", "COMMUNITY"], declared("The machine's cloud type.")),
    ),
    supportPublicIp: Type.Optional(Type.Boolean()),
    fabric: Type.Optional({
      ...machineFabric,
      description: "The private network between machines that it is declared to be part of.",
    }),
    quota: Type.Optional(
      Type.Enum(["enforced", "measured"], {
        description:
          "How container disks are limited: enforced by the engine, or measured, which stops a Pod " +
          "that exceeds its disk. Absent if not known yet.",
      }),
    ),
    models: Type.Optional(
      Type.Array(
        Type.Object({
          model: Type.String({ description: "The model, as owner/name." }),
          commit: Type.String(),
          bytes: Type.Integer({ description: "0 until its size is known." }),
          downloadedBytes: Type.Integer({ description: "Fewer while it is being downloaded." }),
        }),
        {
          description:
            "The models in its cache. Absent if it has no cache; only the operator sees it.",
        },
      ),
    ),
    maxDownloadSpeedMbps: Type.Optional(Type.Number()),
    maxUploadSpeedMbps: Type.Optional(Type.Number()),
    diskThroughputMBps: Type.Optional(Type.Number()),
  },
  { title: "Machine" },
);

export type Machine = Static<typeof machine>;

const flag = (description: string) => Type.Boolean({ default: false, description });

export const machineOperations = {
  listMachines: {
    method: "GET",
    path: "/v1/machines",
    tag: "Machines",
    summary: "List machines",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The machines.", schema: Type.Array(machine) },
  },
  addMachine: {
    method: "POST",
    path: "/v1/machines",
    tag: "Machines",
    summary: "Add a remote machine or a Kubernetes cluster",
    description:
      "Only the operator can call it. Freehold connects to the machine in the background; `online` " +
      "and `trouble` show the outcome. A Kubernetes cluster is tried first; each of its nodes becomes a machine.",
    needs: { of: "rest", access: "write", area: "account" },
    body: machineCreate,
    answer: { status: 201, description: "The machine.", schema: machine },
  },
  getMachineMetrics: {
    method: "GET",
    path: "/v1/machines/{machineId}/metrics",
    tag: "Machines",
    summary: "Read a machine's metrics",
    description:
      "Only the operator can call it. Nodes of a Kubernetes cluster are measured while something runs there.",
    needs: { of: "rest", access: "read", area: "own" },
    query: machineMetricsQuery,
    answer: machineMetricsAnswer,
  },
  removeMachine: {
    method: "DELETE",
    path: "/v1/machines/{machineId}",
    tag: "Machines",
    summary: "Remove a remote machine",
    description:
      "Only the operator can call it. Fails while the machine has Pods, workers or volumes, unless `force` is set.",
    needs: { of: "rest", access: "write", area: "account" },
    query: Type.Partial(
      Type.Object({
        force: flag("Also delete its Pods and volumes with their data."),
      }),
    ),
    answer: { status: 204, description: "The machine is removed." },
  },
  removeUnknownInstallation: {
    method: "DELETE",
    path: "/v1/machines/{machineId}/installations/{installationId}",
    tag: "Machines",
    summary: "Remove what another installation has on a machine",
    description:
      "Only the operator can call it. Removes the installation's containers and networks in the " +
      "background, running containers included; `unknownInstallations` shows what is left.",
    needs: { of: "rest", access: "write", area: "account" },
    query: Type.Partial(
      Type.Object({
        volumes: flag("Also remove its volumes with their data."),
      }),
    ),
    answer: { status: 204, description: "The removal is requested." },
  },
  updateMachine: {
    method: "PATCH",
    path: "/v1/machines/{machineId}",
    tag: "Machines",
    summary: "Drain a machine or set its maintenance window",
    description: "Only the operator can call it. An omitted field does not change.",
    needs: { of: "rest", access: "write", area: "account" },
    body: machineUpdate,
    answer: { status: 200, description: "The machine.", schema: machine },
  },
} as const satisfies Operations;
