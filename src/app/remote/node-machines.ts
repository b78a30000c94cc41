// The nodes of a cluster as machines. A node that has not changed since it was last described is the same object,
// because a large cluster is described at every heartbeat.

import { createHash } from "node:crypto";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { ClusterState } from "../../domain/machine/cluster-probe.ts";
import { inventoryOf } from "../../domain/machine/inventory.ts";
import type { RemoteMachine, RemoteOffer } from "../../domain/machine/remote.ts";
import type { NodeVolumes } from "../../domain/machine/volume-home.ts";
import type { Requests } from "../../drivers/kubernetes/pod/pod-requests.ts";
import { hardwareOf, type NodeView } from "../../drivers/kubernetes/site/node-view.ts";
import { gpuNotice } from "../../drivers/kubernetes/site/notices.ts";
import type { NodeMachine } from "../../loops/clusters/nodes-presence.ts";

interface Seen {
  node: NodeView;
  /** What the Pods of others request of it. */
  others: Requests | undefined;
}

interface Described extends Seen {
  cluster: ClusterState | undefined;
  machine: NodeMachine;
}

export class NodeMachines {
  readonly #catalog: Catalog;
  readonly #remote: RemoteMachine;
  #known = new Map<string, Described>();

  constructor(catalog: Catalog, remote: RemoteMachine) {
    this.#catalog = catalog;
    this.#remote = remote;
  }

  describe(nodes: readonly Seen[], cluster: ClusterState | undefined): NodeMachine[] {
    const known = new Map<string, Described>();
    for (const { node, others } of nodes) {
      const before = this.#known.get(node.uid);
      const isSame =
        before?.node === node && before.cluster === cluster && isEqual(before.others, others);
      const machine = isSame
        ? before.machine
        : nodeMachine(this.#catalog, this.#remote, { node, others }, cluster);
      known.set(node.uid, { node, others, cluster, machine });
    }
    this.#known = known;
    return [...known.values()].map(({ machine }) => machine);
  }
}

const isEqual = (one: Requests | undefined, other: Requests | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

function nodeMachine(
  catalog: Catalog,
  { id, offer }: RemoteMachine,
  { node, others }: Seen,
  cluster: ClusterState | undefined,
): NodeMachine {
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
