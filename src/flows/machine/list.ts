// Listing the machines with their inventory and free capacity.

import type { Clock } from "../../base/clock.ts";
import { type Catalog, unpricedGpuTexts } from "../../domain/catalog/catalog.ts";
import type { FabricAddress } from "../../domain/fabric/fabric.ts";
import { gpuFaultText } from "../../domain/gpu/gpu-health.ts";
import type { ClusterProbe, ClusterState } from "../../domain/machine/cluster-probe.ts";
import { nothing } from "../../domain/machine/inventory.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import { skewText } from "../../domain/machine/reported-time.ts";
import type { Place } from "../../domain/placement/place.ts";
import { overdueSince } from "../../domain/pod/container/overdue-end.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { type FabricMachine, fabricMachines } from "../../store/fabric/fabric.ts";
import { gpuHolders } from "../../store/held-gpu/held-gpu.ts";
import { overduePods } from "../../store/pod/overdue.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { knownMachines, type StoredMachine } from "../../store/replica/inventory.ts";
import {
  type UnknownInstallation,
  unknownInstallations,
} from "../../store/unknown-installation/unknown-installation.ts";
import { overdueWorkers } from "../../store/worker/overdue.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { placesOf } from "../../transactions/place/places.ts";
import { type GpuDevice, gpuDevices } from "./gpu-devices.ts";

export interface MachineView extends StoredMachine {
  /** Whether its heartbeat is recent. */
  online: boolean;
}

/** The fields of a remote machine. */
export type Remote = Pick<RemoteMachine, "name" | "address" | "hostKey" | "trouble" | "offer">;

export interface MachineCapacity extends MachineView {
  /** Null if a replica runs on the machine. */
  remote: Remote | null;
  /** The host name of a replica's machine; null for others. Only the operator sees it. */
  hostName: string | null;
  /** What other installations have on its engine. Only the operator sees it. */
  unknown: UnknownInstallation[];
  /** Its declared fabric, and why it has not joined it; null without one. */
  fabric: (FabricAddress & { trouble: string | null }) | null;
  /** What the probe of its cluster found out; null before, and for other machines. */
  probe: ClusterProbe | null;
  /** The Pods and workers whose containers do not end. Only the operator sees them. */
  overdueEnds: readonly string[];
  /** What should be corrected on the machine, or in the cluster. Only the operator sees it. */
  notices: readonly string[];
  /** Its real GPUs one by one. Only the operator sees them. */
  devices: GpuDevice[];
  /** The free capacity; null if the machine accepts nothing. */
  free: Place["free"] | null;
}

interface MachineListDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
}

export interface MachineCapacityDeps extends MachineListDeps {
  protocol: Protocol;
  catalog: Catalog;
}

export async function listMachines({
  store,
  clock,
  heartbeatTiming,
}: MachineListDeps): Promise<MachineView[]> {
  return onlineOf(await store.read(knownMachines), clock.now() - heartbeatTiming.goneMs);
}

/** Only the operator sees the fields of remote machines. */
export async function listMachinesWithCapacity(
  { store, clock, heartbeatTiming, protocol, catalog }: MachineCapacityDeps,
  accountId: string,
): Promise<MachineCapacity[]> {
  const at = clock.now();
  const since = at - heartbeatTiming.goneMs;
  const { machines, places, remotes, unknown, parts, overdue, holders, isOperator } =
    await store.read(readMachines, accountId, {
      since,
      at,
      overdueSince: overdueSince(at, protocol),
    });
  const open = new Map(places.map((place) => [place.machine, place.closed === null && place.free]));
  const remoteOf = new Map(remotes.map((each) => [each.id, each]));
  const knownIds = new Set(machines.map(({ machine }) => machine));
  const unreached = remotes
    .filter(({ id }) => !knownIds.has(id))
    .map(({ id }) => unreachedMachine(id));
  const views = onlineOf([...machines, ...unreached], since);
  const clusters = new Set(
    views.flatMap(({ online, inventory }) =>
      online && inventory.node ? [inventory.node.remote] : [],
    ),
  );
  const states = new Map(
    views.flatMap(({ inventory: { node } }) =>
      node?.cluster ? [[node.remote, node.cluster] as const] : [],
    ),
  );
  return views.map((each) => {
    const free = (each.online && open.get(each.machine)) || null;
    const { probe, notices } = clusterFacts(each, states, isOperator);
    return {
      ...each,
      // A cluster has no heartbeat of its own.
      online: each.online || clusters.has(each.machine),
      free,
      remote: remoteOf.get(each.machine) ?? null,
      hostName: (isOperator && each.inventory.system?.hostName) || null,
      fabric: fabricOf(each, parts),
      devices: isOperator ? devicesOf(each, holders, at) : [],
      probe,
      notices: isOperator ? [...notices, ...unpricedGpuTexts(catalog, each.inventory.gpus)] : [],
      overdueEnds: overdue.filter(({ machine }) => machine === each.machine).map(({ id }) => id),
      unknown: unknown.filter(({ machine }) => machine === each.machine),
    };
  });
}

/** What accounts use is not for each other, and an engine's address is for the operator. */
function forAccount({ inventory, ...machine }: StoredMachine) {
  const { models: _, engineTrouble: __, ...shown } = inventory;
  return { ...machine, inventory: shown };
}

function devicesOf(
  { machine, inventory, upkeep: { gpuCordons }, gpuHealth, online: isOnline }: MachineView,
  holders: MachineRows["holders"],
  now: number,
): GpuDevice[] {
  const own = holders.filter((each) => each.machine === machine);
  return gpuDevices(inventory, gpuCordons, gpuHealth, { holders: own, isOnline, now });
}

interface MachineRows {
  machines: StoredMachine[];
  places: Place[];
  remotes: RemoteMachine[];
  unknown: UnknownInstallation[];
  isOperator: boolean;
  parts: FabricMachine[];
  overdue: { id: string; machine: string }[];
  holders: { machine: string; gpu: number; holder: string }[];
}

interface ReadAt {
  at: number;
  /** A machine with an older heartbeat takes nothing. */
  since: number;
  /** An end that was requested before is overdue. */
  overdueSince: number;
}

function fabricOf(
  { machine, inventory: { fabric } }: StoredMachine,
  parts: readonly FabricMachine[],
): MachineCapacity["fabric"] {
  if (!fabric) return null;
  const part = parts.find((each) => each.machine === machine && each.fabric === fabric.name);
  return { ...fabric, trouble: part ? part.trouble : "its engine was not tried yet" };
}

function* readMachines(
  accountId: string,
  { since, at, overdueSince: before }: ReadAt,
): Tx<MachineRows> {
  const machines = yield* knownMachines();
  const places = yield* placesOf({ since, machine: null, except: null, at });
  const isOperator = (yield* requireOperator(accountId)) === null;
  return {
    machines: isOperator ? machines : machines.map(forAccount),
    places,
    isOperator,
    remotes: isOperator ? yield* remoteMachines() : [],
    unknown: isOperator ? yield* unknownInstallations() : [],
    parts: yield* fabricMachines(),
    holders: isOperator ? yield* gpuHolders() : [],
    overdue: isOperator
      ? [...(yield* overduePods(before)), ...(yield* overdueWorkers(before))]
      : [],
  };
}

/** A machine that was added but not reached yet, or a cluster, whose nodes are machines. */
function unreachedMachine(machine: string): StoredMachine {
  return { machine, drivers: [], inventory: nothing, seenAt: 0, stopped: true, ...defaultUpkeep };
}

const defaultUpkeep = {
  lostAt: null,
  upkeep: {
    draining: false,
    maintenanceStart: null,
    maintenanceEnd: null,
    maintenanceNote: null,
    gpuCordons: {},
    sharedGpus: {},
  },
  gpuHealth: {},
};

function onlineOf(machines: StoredMachine[], since: number): MachineView[] {
  return machines.map((each) => ({ ...each, online: !each.stopped && each.seenAt > since }));
}

function clusterFacts(
  { machine, inventory: { node, clockSkewMs = 0, kernelLogTrouble, gpuNotices = [] } }: MachineView,
  states: ReadonlyMap<string, ClusterState>,
  isOperator: boolean,
): Pick<MachineCapacity, "probe" | "notices"> {
  const { probe, notices = [] } = states.get(node?.remote ?? machine) ?? {};
  const ofNode = node?.gpuNotice ? [node.gpuNotice] : [];
  const ofClock = clockSkewMs === 0 ? [] : [skewText(clockSkewMs)];
  const ofKernelLog = kernelLogTrouble ? [kernelLogTrouble] : [];
  const ofGpus = gpuNotices.map(gpuFaultText);
  const ofMachine = [...ofClock, ...ofKernelLog, ...ofGpus];
  return {
    probe: probe ? { ...probe, ...(!isOperator && { trouble: null }) } : null,
    notices: [...ofMachine, ...(node ? ofNode : notices)],
  };
}
