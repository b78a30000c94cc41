// The nodes of a managed cluster: each has a driver over the cluster's connection, and loops while it has workloads.

import type { PortRange } from "../../domain/container/ports.ts";
import type { HostCounters } from "../../domain/machine/load/load.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import { StartRefused } from "../../drivers/driver.ts";
import type { KubernetesCluster } from "../../drivers/kubernetes/cluster.ts";
import { KubernetesDriver } from "../../drivers/kubernetes/kubernetes-driver.ts";
import { machineDigest } from "../../drivers/kubernetes/names.ts";
import type { NodeUsage } from "../../drivers/kubernetes/usage.ts";
import type { LocalMachine } from "../../flows/replica/local-drivers.ts";
import { keysFrom } from "../../installation/derived-keys.ts";
import type { NodeMachine } from "../../loops/clusters/nodes-presence.ts";
import { type Loop, type Running, runLoops } from "../../loops/engine/loop.ts";
import { topic } from "../../store/engine/notifier.ts";
import { logPieceStore } from "../machine/log-archive.ts";
import { machineLoops } from "../machine/machine-loops.ts";
import type { ManageDeps } from "./managed-machine.ts";
import { remoteIntercept } from "./remote-intercept.ts";

/** The range of a cluster whose operator did not choose another. */
const NODE_PORTS: PortRange = { first: 30_000, last: 32_767 };

interface ManagedNode {
  node: NodeMachine;
  driver: KubernetesDriver;
  local: LocalMachine;
  /** Null while it has no workloads. */
  loops: Running | null;
}

export class ManagedNodes {
  readonly #deps: ManageDeps;
  readonly #remote: RemoteMachine;
  readonly #cluster: KubernetesCluster;
  readonly #nodes = new Map<string, ManagedNode>();

  constructor(deps: ManageDeps, remote: RemoteMachine, cluster: KubernetesCluster) {
    this.#deps = deps;
    this.#remote = remote;
    this.#cluster = cluster;
  }

  async start(nodes: readonly NodeMachine[]): Promise<void> {
    await Promise.all(nodes.map(({ machine }) => this.stop(machine)));
    await this.#deps.refreshMachines();
    for (const node of nodes) this.#start(node);
    // The loops of those with workloads run at once.
    this.#deps.parts.store.notifier.notify(topic.workloads);
  }

  /** Runs the loops of a node if it is known; does nothing if they run. */
  run(machine: string): void {
    const managed = this.#nodes.get(machine);
    if (managed) managed.loops ??= this.runLoops(this.#loopsOf(managed));
  }

  /** Ends the loops of a node. Its containers stay, and what people read of them. */
  async rest(machine: string): Promise<void> {
    const managed = this.#nodes.get(machine);
    const loops = managed?.loops;
    if (!managed || !loops) return;
    await loops.stop();
    if (managed.loops === loops) managed.loops = null;
  }

  async stop(machine: string): Promise<void> {
    const managed = this.#nodes.get(machine);
    if (!managed) return;
    this.#nodes.delete(machine);
    await managed.loops?.stop();
    this.#deps.localDrivers.end(machine, managed.local);
    await managed.driver.close();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#nodes.keys()].map((machine) => this.stop(machine)));
  }

  volumeUsers() {
    return [...this.#nodes].map(([machine, { driver }]) => ({ machine, drivers: [driver] }));
  }

  /** The nodes with containers. */
  async observed(): Promise<string[]> {
    const busy = new Set(await this.#cluster.busyMachines());
    if (busy.size === 0) return [];
    return [...this.#nodes.keys()].filter((machine) => busy.has(machineDigest({ machine })));
  }

  /** Runs loops beside those of the replica. */
  runLoops(loops: Loop[]): Running {
    const { parts, leaderships, metrics } = this.#deps;
    const { clock, store, log } = parts;
    const remoteMetrics: ManageDeps["metrics"] = {
      recordPass: (loop, ...pass) => metrics.recordPass(`remote ${loop}`, ...pass),
    };
    const around = { clock, notifier: store.notifier, log, leaderships, metrics: remoteMetrics };
    return runLoops(loops, around);
  }

  #start(node: NodeMachine): void {
    const { parts, localDrivers } = this.#deps;
    const { machine, name, gpuResource } = node;
    const { cluster: settings = {} } = this.#remote.offer;
    const { publicPorts = "NodePort", networkVolumes = null, accountQuota = {} } = settings;
    const { gpuRuntimeClass = null, priorityClasses = {} } = settings;
    const driver = new KubernetesDriver({
      cluster: this.#cluster,
      machine,
      logPieces: logPieceStore(parts.store),
      node: { name, gpuResource, gpuRuntimeClass, priorityClasses },
      publicPorts,
      networkVolumes,
      accountQuota,
    });
    const local = localDrivers.begin(machine, [driver]);
    this.#nodes.set(machine, { node, driver, local, loops: null });
  }

  #loopsOf({ node, driver, local }: ManagedNode): Loop[] {
    const { store, clock, log, config, secretKey } = this.#deps.parts;
    const { cluster: settings = {}, publicIp } = this.#remote.offer;
    const { publicPorts = "NodePort", nodePorts = NODE_PORTS } = settings;
    const isByNode = publicPorts === "NodePort";
    return machineLoops({
      store,
      clock,
      log,
      ...keysFrom(secretKey),
      originFor: async () => callbackUrl(this.#remote, config.publicUrl),
      machine: {
        id: node.machine,
        inventory: node.whole,
        ports: isByNode ? nodePorts : config.ports,
        publicIp: publicIp ?? (isByNode ? node.address : null),
      },
      protocol: config.protocol,
      intercept: remoteIntercept(this.#deps.parts, driver.name),
      drivers: [driver],
      engine: null,
      fabricEngine: null,
      dataFolder: null,
      local,
      gpuUse: async () => [],
      hostLoad: async () => countersOf(driver.nodeUsage.latest, node.whole.vcpus),
    });
  }
}

/** The time of all its CPUs is that of the clock, as often as it has CPUs. */
function countersOf(usage: NodeUsage | null, vcpus: number): HostCounters | null {
  if (usage === null) return null;
  const { cpu, memoryUsedBytes, memoryBytes } = usage;
  const time = cpu && { busy: cpu.ms, total: cpu.at * vcpus };
  return { cpu: time, memoryUsedBytes, memoryBytes };
}

/** The URL at which containers reach the service. */
export function callbackUrl({ offer }: RemoteMachine, publicUrl: string | null): string {
  const url = offer.cluster?.callbackUrl ?? publicUrl;
  if (url !== null) return url;
  throw new StartRefused(
    "The cluster cannot call back: set FREEHOLD_PUBLIC_URL to where its Pods reach this service.",
    "no_way_back",
  );
}
