// One cluster, managed for as long as this replica holds its leadership. Its nodes are machines: each has a driver and
// loops of its own, over the cluster's connection.

import { createHash } from "node:crypto";
import type { ClusterState } from "../../domain/machine/cluster-probe.ts";
import { inventoryOf } from "../../domain/machine/inventory.ts";
import {
  type RemoteMachine,
  type RemoteOffer,
  type RemoteSecrets,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import type { NodeVolumes } from "../../domain/network-volume/home.ts";
import type { PortRange } from "../../domain/pod/container/ports.ts";
import { StartRefused, type VolumeName } from "../../drivers/driver.ts";
import { removeClaim } from "../../drivers/kubernetes/claims.ts";
import type { Cluster } from "../../drivers/kubernetes/cluster.ts";
import { KubernetesDriver } from "../../drivers/kubernetes/kubernetes-driver.ts";
import { clearAway } from "../../drivers/kubernetes/site/clear-away.ts";
import { ClusterNodes } from "../../drivers/kubernetes/site/cluster-nodes.ts";
import { hardwareOf, type NodeView } from "../../drivers/kubernetes/site/node-view.ts";
import { gpuNotice } from "../../drivers/kubernetes/site/notices.ts";
import type { Requests } from "../../drivers/kubernetes/site/pod-requests.ts";
import type { LocalMachine } from "../../flows/replica/local-drivers.ts";
import { type Running, runLoops } from "../../loops/engine/loop.ts";
import { type NodeMachine, nodesPresenceLoop } from "../../loops/machines/nodes-presence.ts";
import { removeVolumesLoop } from "../../loops/machines/remove-volumes.ts";
import { leaveReplica } from "../../transactions/replica/membership.ts";
import { keysFrom } from "../installation/derived-keys.ts";
import { logPieceStore } from "../machine/log-archive.ts";
import { machineLoops } from "../machine/machine-loops.ts";
import { ClusterProbing } from "./cluster-probing.ts";
import type { ManageDeps } from "./managed-machine.ts";
import { openCluster, sentenceOf } from "./open-cluster.ts";

/** The range of a cluster whose operator did not choose another. */
const NODE_PORTS: PortRange = { first: 30_000, last: 32_767 };

/** A node with its driver and its loops. */
interface ManagedNode {
  driver: KubernetesDriver;
  local: LocalMachine;
  loops: Running;
}

/**
 * Returns a function that stops managing it. Pods keep running unless the cluster was removed. Rejects
 * with a sentence if its credentials cannot be used any more.
 */
export async function manageCluster(
  deps: ManageDeps,
  remote: RemoteMachine,
): Promise<(removed: boolean) => Promise<void>> {
  const { parts, heartbeatTiming, replica } = deps;
  const { store, clock, log, ids } = parts;
  const { vault } = keysFrom(parts.secretKey);
  const secrets = JSON.parse(vault.open(remote.secrets, remoteOwner(remote.id))) as RemoteSecrets;
  const cluster = await openCluster(secrets.cluster!, parts, parts.installation);
  const nodes = new ClusterNodes(cluster);
  const seats = new Map<string, string>();
  const managed = new ManagedNodes(deps, remote, cluster);
  const probing = new ClusterProbing(parts, remote.id, cluster);
  const presence = nodesPresenceLoop({
    ...{ store, clock, heartbeatTiming, remote, replicaId: replica.id },
    async nodes() {
      const publicUrl = wayBack(remote, parts.config.publicUrl);
      const found = await nodes.list().catch((error) => {
        throw new Error(sentenceOf(error));
      });
      await probing.renewIfDue(publicUrl).catch((error) => {
        throw new Error(sentenceOf(error));
      });
      return found.map(({ node, others }) =>
        nodeMachine(deps, remote, node, others, probing.state),
      );
    },
    seatOf({ machine }) {
      const id = seats.get(machine) ?? ids.short(14);
      seats.set(machine, id);
      return { id, machine, drivers: ["kubernetes"], address: replica.address };
    },
    startLoops: (started) => managed.start(started),
    stopLoops: (machine) => managed.stop(machine),
  });
  const owner = { installation: parts.installation, machine: remote.id };
  const claims = { removeVolume: (volume: VolumeName) => removeClaim(cluster, owner, volume) };
  const removeVolumes = removeVolumesLoop({
    ...{ store, log, machine: remote.id, drivers: [claims], users: () => managed.volumeUsers() },
  });
  const watching = runLoops([presence, removeVolumes], aroundOf(deps));
  return async (removed) => {
    await watching.stop();
    await probing.stop();
    await managed.stopAll();
    if (removed) {
      await clearAway(cluster).catch((err) => {
        log.warn({ err, cluster: remote.id }, "the Pods of a removed cluster are left in it");
      });
    }
    await nodes.close();
    await cluster.close();
    for (const id of seats.values()) await store.write(leaveReplica, id, clock.now());
  };
}

class ManagedNodes {
  readonly #deps: ManageDeps;
  readonly #remote: RemoteMachine;
  readonly #cluster: Cluster;
  readonly #nodes = new Map<string, ManagedNode>();

  constructor(deps: ManageDeps, remote: RemoteMachine, cluster: Cluster) {
    this.#deps = deps;
    this.#remote = remote;
    this.#cluster = cluster;
  }

  async start(nodes: readonly NodeMachine[]): Promise<void> {
    await Promise.all(nodes.map(({ machine }) => this.stop(machine)));
    await this.#deps.refreshMachines();
    for (const node of nodes) this.#start(node);
  }

  #start({ machine, name, whole, address, gpuResource }: NodeMachine): void {
    const { parts, localDrivers } = this.#deps;
    const { store, clock, log, config } = parts;
    const logPieces = logPieceStore(store);
    const { cluster: settings = {}, publicIp } = this.#remote.offer;
    const { publicPorts = "NodePort", nodePorts = NODE_PORTS, networkVolumes = null } = settings;
    const { gpuRuntimeClass = null, priorityClasses = {} } = settings;
    const node = { name, gpuResource, gpuRuntimeClass, priorityClasses };
    const driver = new KubernetesDriver({
      ...{ cluster: this.#cluster, node, machine, logPieces },
      ...{ publicPorts, networkVolumes },
    });
    const local = localDrivers.begin(machine, [driver]);
    const isByNode = publicPorts === "NodePort";
    const ports = isByNode ? nodePorts : config.ports;
    const loops = machineLoops({
      ...{ store, clock, log, ...keysFrom(parts.secretKey) },
      originFor: async () => wayBack(this.#remote, config.publicUrl),
      machine: {
        ...{ id: machine, inventory: whole, ports },
        publicIp: publicIp ?? (isByNode ? address : null),
      },
      protocol: config.protocol,
      drivers: [driver],
      engine: null,
      fabricEngine: null,
      dataFolder: null,
      usage: local.usage,
      gpuUse: async () => [],
    });
    this.#nodes.set(machine, { driver, local, loops: runLoops(loops, aroundOf(this.#deps)) });
  }

  async stop(machine: string): Promise<void> {
    const node = this.#nodes.get(machine);
    if (!node) return;
    this.#nodes.delete(machine);
    await node.loops.stop();
    this.#deps.localDrivers.end(machine, node.local);
    await node.driver.close();
  }

  volumeUsers() {
    return [...this.#nodes].map(([machine, { driver }]) => ({ machine, drivers: [driver] }));
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#nodes.keys()].map((machine) => this.stop(machine)));
  }
}

function aroundOf({ parts, leaderships, metrics }: ManageDeps) {
  const { clock, store, log } = parts;
  const remoteMetrics: ManageDeps["metrics"] = {
    recordPass: (loop, ...pass) => metrics.recordPass(`remote ${loop}`, ...pass),
  };
  return { clock, notifier: store.notifier, log, leaderships, metrics: remoteMetrics };
}

function nodeMachine(
  { parts }: ManageDeps,
  { id, offer }: RemoteMachine,
  node: NodeView,
  others: Requests | undefined,
  cluster: ClusterState | undefined,
): NodeMachine {
  const { catalog } = parts;
  const notice = gpuNotice(catalog, node);
  const offered = (requests?: Requests) => ({
    ...inventoryOf(catalog, hardwareOf(catalog, node, requests), offer.declared, offer.virtualGpus),
    quota: "measured" as const,
    node: {
      ...{ remote: id, name: node.name, ...networkVolumesOf(offer) },
      ...(notice !== null && { gpuNotice: notice }),
    },
    closed: node.closed,
  });
  const whole = offered();
  return {
    machine: `${id}-${createHash("sha256").update(node.uid).digest("hex").slice(0, 10)}`,
    name: node.name,
    isReady: node.isReady,
    address: node.address,
    isCordoned: node.isCordoned,
    inventory: { ...offered(others), node: { ...whole.node, ...(cluster && { cluster }) } },
    whole,
    gpuResource: node.gpuFamily.resource,
  };
}

function networkVolumesOf({ cluster = {} }: RemoteOffer): { networkVolumes?: NodeVolumes } {
  const { networkVolumes } = cluster;
  if (!networkVolumes) return {};
  return { networkVolumes: networkVolumes.access === "ReadWriteOnce" ? "pinned" : "shared" };
}

/** The URL at which containers reach the service. */
function wayBack({ offer }: RemoteMachine, publicUrl: string | null): string {
  const url = offer.cluster?.callbackUrl ?? publicUrl;
  if (url !== null) return url;
  throw new StartRefused(
    "The cluster cannot call back: set FREEHOLD_PUBLIC_URL to where its Pods reach this service.",
    "no_way_back",
  );
}
