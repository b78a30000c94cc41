// Routes of /v1/machines.

import type { FastifyInstance } from "fastify";
import { MB_PER_GB } from "../../../base/units.ts";
import { type Machine, machineOperations } from "../../../contract/rest-v1/machine/machine.ts";
import type {
  MachineCreate,
  MachineUpdate,
} from "../../../contract/rest-v1/machine/machine-write.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { VirtualTime } from "../../../flows/clock/virtual-time.ts";
import { addMachine } from "../../../flows/machine/add.ts";
import { type AddClusterDeps, addCluster } from "../../../flows/machine/add-cluster.ts";
import { changeMachine, type UpkeepChanges } from "../../../flows/machine/change.ts";
import { changeCluster } from "../../../flows/machine/change-cluster.ts";
import { cleanMachine } from "../../../flows/machine/clean.ts";
import {
  listMachinesWithCapacity,
  type MachineCapacity,
  type MachineCapacityDeps,
  type Remote,
} from "../../../flows/machine/list.ts";
import { machineLoadHistory, machineLoadOf } from "../../../flows/machine/load.ts";
import { removeMachine } from "../../../flows/machine/remove.ts";
import { limitedMember } from "../../../flows/member/ownership.ts";
import type { LogSources } from "../../../flows/replica/log-source.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { clusterChanges, desiredMachine } from "./desired-machine.ts";
import { gpuDeviceRead, gpuFaultRead } from "./gpu-device-read.ts";

interface Deps extends AddClusterDeps, MachineCapacityDeps, LogSources {
  virtualTime: VirtualTime | null;
}

export function machineRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, machineOperations, {
    async listMachines({ accountId, key }) {
      const machines = await listMachinesWithCapacity(deps, accountId);
      return machines.map((each) =>
        machineRead(limitedMember(key) ? withoutWorkloads(each) : each),
      );
    },
    async addMachine({ accountId, body }) {
      return read(deps, accountId, await addAs(deps, accountId, body));
    },
    async updateMachine({ accountId, params, body }) {
      await update(deps, accountId, params.machineId, body);
      return read(deps, accountId, params.machineId);
    },
    async getMachineMetrics({ accountId, params, query }) {
      const { range = "1h" } = query;
      const load =
        range === "1h"
          ? await machineLoadOf(deps, accountId, params.machineId)
          : await machineLoadHistory(deps, accountId, params.machineId, range);
      const samples = load.map(({ at, ...rest }) => ({ at: instant(at), ...rest }));
      return { latest: samples.at(-1) ?? null, samples };
    },
    async removeMachine({ accountId, params, query }) {
      await removeMachine(deps, accountId, params.machineId, query.force === true);
    },
    async removeUnknownInstallation({ accountId, params, query }) {
      const { machineId: machine, installationId: installation } = params;
      const removal = query.volumes === true ? "all" : "workloads";
      await cleanMachine(deps, accountId, { machine, installation, removal });
    },
  });
}

/** A role that sees only its own learns no ids of what others run. */
const withoutWorkloads = (machine: MachineCapacity): MachineCapacity => ({
  ...machine,
  overdueEnds: [],
  notices: [],
  devices: machine.devices.map((device) => ({ ...device, workloads: [], errors: [] })),
});

function addAs(deps: Deps, accountId: string, body: MachineCreate): Promise<string> {
  if (deps.virtualTime) throw new Fault("machine_keeps_time");
  const desired = desiredMachine(body);
  if ("machine" in desired) return addMachine(deps, accountId, desired.machine);
  if ("cluster" in desired) return addCluster(deps, accountId, desired.cluster);
  throw new Fault("invalid_body", { detail: desired.error });
}

/** A cluster is tried before anything is saved. */
async function update(deps: Deps, accountId: string, id: string, body: MachineUpdate) {
  const { name, kubeconfig, context, cluster, hostKey, ...rest } = body;
  const changes = clusterChanges({ name, kubeconfig, context, cluster });
  const isOfCluster = Object.keys(changes).length > 0;
  const [ofMachine] = Object.keys({ ...(hostKey !== undefined && { hostKey }), ...rest });
  if (isOfCluster && ofMachine !== undefined) {
    const detail = `"${ofMachine}" is of one machine, and "name", "kubeconfig" and "cluster" are of a cluster: send two requests.`;
    throw new Fault("invalid_body", { detail });
  }
  if (isOfCluster) return changeCluster(deps, accountId, id, changes);
  await changeMachine(deps, accountId, id, { ...upkeep(rest), newHostKey: hostKey === null });
}

async function read(deps: Deps, accountId: string, id: string): Promise<Machine> {
  const found = (await listMachinesWithCapacity(deps, accountId)).find(
    ({ machine }) => machine === id,
  );
  if (!found) throw new Fault("machine_not_found", { id });
  return machineRead(found);
}

type UpkeepUpdate = Omit<MachineUpdate, "hostKey" | "name" | "kubeconfig" | "context" | "cluster">;

/** The changes in a body; null clears a field. */
function upkeep(update: UpkeepUpdate): UpkeepChanges {
  const { maintenanceStart: start, maintenanceEnd: end, ...others } = update;
  const {
    cordonedGpus: cordons,
    sharedGpus: shares,
    testGpus: tests,
    cancelledGpuRequests: cancelledRequests,
    migLayouts,
    ...rest
  } = others;
  rest satisfies Whole<typeof rest, UpkeepChanges>;
  const at = (text: string | null) => (text === null ? null : Date.parse(text));
  return {
    ...rest,
    ...(start !== undefined && { maintenanceStart: at(start) }),
    ...(end !== undefined && { maintenanceEnd: at(end) }),
    ...(cordons !== undefined && { cordons }),
    ...(shares !== undefined && { shares }),
    ...(tests !== undefined && { tests }),
    ...(migLayouts !== undefined && { migLayouts }),
    ...(cancelledRequests !== undefined && { cancelledRequests }),
  };
}

/** The inventory without the members that other fields show, or that are for the service alone. */
function withoutInternals<Of extends Partial<Inventory>>({
  system: _,
  fabric: __,
  clockSkewMs: ___,
  gpuNumbers: ____,
  gpuAddresses: _____,
  gpuNodes: ______,
  kernelLogTrouble: _______,
  gpuTrouble: ________,
  engineTrouble: _________,
  gpuNotices: __________,
  gpuSlices: ___________,
  gpuShares: ____________,
  gpuLinks: _____________,
  ...rest
}: Of) {
  return rest;
}

function machineRead(room: MachineCapacity): Machine {
  const {
    machine,
    online,
    seenAt,
    lostAt,
    drivers,
    inventory,
    free,
    upkeep,
    remote,
    hostName,
    unknown,
    fabric,
    probe,
    notices,
    devices,
  } = room;
  const { gpus, vcpus, memoryMb, diskGb, downloadMbps, uploadMbps, diskMBps, ...more } = inventory;
  const { node, closed, gpuFaults, ...rest } = withoutInternals(more);
  const trouble = troubleOf(room);
  const { draining, maintenanceStart, maintenanceEnd, maintenanceNote } = upkeep;
  return {
    id: machine,
    ...(hostName && { name: hostName }),
    ...(remote && remoteRead(remote)),
    ...(trouble && { trouble }),
    ...(node && { cluster: node.remote, name: node.name }),
    ...(probe && {
      isolation: probe.isolation,
      ...withoutNulls({ isolationTrouble: probe.trouble, callsBack: probe.callsBack }),
    }),
    ...(notices.length > 0 && { notices: [...notices] }),
    ...(unknown.length > 0 && { unknownInstallations: unknown.map(unknownRead) }),
    ...(fabric && { fabric: fabricRead(fabric) }),
    online,
    draining,
    ...present({ seenAt: seenAt || null, lostAt, maintenanceStart, maintenanceEnd }),
    drivers,
    vcpuCount: vcpus,
    memoryInGb: Math.floor(memoryMb / MB_PER_GB),
    diskInGb: diskGb,
    vcpuFree: Math.max(0, free?.vcpus ?? 0),
    memoryFreeInGb: Math.max(0, Math.floor((free?.memoryMb ?? 0) / MB_PER_GB)),
    diskFreeInGb: Math.max(0, free?.diskGb ?? 0),
    gpus: gpus.map((group, n) => gpuGroupRead(group, free?.gpus[n]?.indices.length ?? 0)),
    ...(gpuFaults && { unhealthyGpus: gpuFaults.map(gpuFaultRead) }),
    ...(devices.length > 0 && { gpuDevices: devices.map(gpuDeviceRead) }),
    ...withoutNulls({
      ...rest,
      closed: closed ?? null,
      maintenanceNote,
      maxDownloadSpeedMbps: downloadMbps,
      maxUploadSpeedMbps: uploadMbps,
      diskThroughputMBps: diskMBps,
    }),
  };
}

function gpuGroupRead(group: MachineCapacity["inventory"]["gpus"][number], free: number) {
  const { gpuTypeId, memoryMb, virtual, indices } = group;
  const memoryInGb = Math.round(memoryMb / MB_PER_GB);
  return { gpuTypeId, count: indices.length, free, memoryInGb, virtual };
}

/** All that is wrong with it, what keeps others from being known first. */
function troubleOf({ remote, inventory, overdueEnds }: MachineCapacity): string {
  const { engineTrouble, gpuTrouble } = inventory;
  const overdue = overdueEnds.length > 0 ? overdueText(overdueEnds) : null;
  const troubles = [remote?.trouble, engineTrouble, overdue, gpuTrouble].filter((each) => each);
  if (troubles.length === 1) return troubles[0]!;
  return troubles.map((each) => each!.replace(/\.?$/, ".")).join(" ");
}

const overdueText = (ids: readonly string[]) =>
  `Containers do not end and are billed until they do; restart the engine or the machine. They belong to ${ids.join(", ")}.`;

function fabricRead({ trouble, ...fabric }: NonNullable<MachineCapacity["fabric"]>) {
  return { ...fabric, joined: trouble === null, ...withoutNulls({ trouble }) };
}

/** The remote machine's fields, without its credentials. */
function remoteRead({ name, address, hostKey, offer }: Remote) {
  const settings = offer.cluster ?? null;
  return { address, ...withoutNulls({ name: name || null, hostKey, settings }) };
}

function unknownRead({ installation: id, removal, ...use }: MachineCapacity["unknown"][number]) {
  const { containers, running, networks, volumes } = use;
  return { id, containers, running, networks, volumes, removing: removal !== null };
}

/** The members that are not null. */
function withoutNulls<Facts extends object>(facts: Facts) {
  const entries = Object.entries(facts).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [Name in keyof Facts]?: NonNullable<Facts[Name]> };
}
