// The nodes of a cluster as machines. A node that has not changed since it was last described is the same object,
// because a large cluster is described at every heartbeat. All are described anew once other GPU types have a name.

import { createHash } from "node:crypto";
import { MIB } from "../../base/units.ts";
import { type Catalog, idsOf } from "../../domain/catalog/catalog.ts";
import type { ClusterState } from "../../domain/machine/cluster-probe.ts";
import { inventoryOf, type Leaving } from "../../domain/machine/inventory.ts";
import type { RemoteMachine, RemoteOffer } from "../../domain/machine/remote.ts";
import type { NodeVolumes } from "../../domain/machine/volume-home.ts";
import { gpusIn, type Requests } from "../../drivers/kubernetes/pod/pod-requests.ts";
import type { NodeUse } from "../../drivers/kubernetes/site/cluster-nodes.ts";
import { hardwareOf } from "../../drivers/kubernetes/site/node-view.ts";
import { gpuNotice, unhealthyText } from "../../drivers/kubernetes/site/notices.ts";
import type { NodeMachine } from "../../loops/clusters/nodes-presence.ts";

interface Described extends NodeUse {
  cluster: ClusterState | undefined;
  machine: NodeMachine;
}

export class NodeMachines {
  readonly #catalog: Catalog;
  readonly #remote: RemoteMachine;
  #known = new Map<string, Described>();
  #types = "";

  constructor(catalog: Catalog, remote: RemoteMachine) {
    this.#catalog = catalog;
    this.#remote = remote;
  }

  describe(nodes: readonly NodeUse[], cluster: ClusterState | undefined): NodeMachine[] {
    const { gpuTypes, namedTypes } = this.#catalog;
    const types = [...new Set(idsOf([...gpuTypes, ...namedTypes]))].sort().join("\n");
    if (types !== this.#types) this.#known.clear();
    this.#types = types;
    const known = new Map<string, Described>();
    for (const use of nodes) {
      const { node } = use;
      const before = this.#known.get(node.uid);
      const isSame =
        before?.node === node && before.cluster === cluster && partsOf(before) === partsOf(use);
      const machine = isSame
        ? before.machine
        : nodeMachine(this.#catalog, this.#remote, use, cluster);
      known.set(node.uid, { ...use, cluster, machine });
    }
    this.#known = known;
    return [...known.values()].map(({ machine }) => machine);
  }
}

const partsOf = ({ others, leaving, unhealthyGpus, healthy }: NodeUse) =>
  JSON.stringify([others, leaving, unhealthyGpus, healthy]);

function nodeMachine(
  catalog: Catalog,
  { id, offer }: RemoteMachine,
  { node, others, leaving, unhealthyGpus, healthy }: NodeUse,
  cluster: ClusterState | undefined,
): NodeMachine {
  const notice = gpuNotice(catalog, node);
  const gpuTrouble = unhealthyText(node, Object.values(unhealthyGpus).flat());
  const offered = (requests?: Requests) => ({
    ...inventoryOf(
      catalog,
      hardwareOf(catalog, node, requests),
      offer.declared,
      offer.simulatedGpus,
    ),
    quota: "measured" as const,
    node: {
      remote: id,
      name: node.name,
      ...networkVolumesOf(offer),
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
    inventory: {
      ...offered(others),
      ...(gpuTrouble !== null && { gpuTrouble }),
      node: {
        ...whole.node,
        ...(cluster && { cluster }),
        ...leavingIn(leaving),
        ...(Object.keys(unhealthyGpus).length > 0 && { unhealthyGpus }),
      },
    },
    healthy,
    whole,
    gpuResource: node.gpuFamily.resource,
  };
}

function leavingIn(leaving: Record<string, Requests>): { leaving?: Record<string, Leaving> } {
  const uses = Object.entries(leaving).map(([workload, requests]): [string, Leaving] => [
    workload,
    {
      vcpus: requests.cpus,
      memoryMb: Math.ceil(requests.memoryBytes / MIB),
      diskGb: Math.ceil(requests.diskBytes / 1e9),
      gpus: gpusIn(requests),
    },
  ]);
  return uses.length > 0 ? { leaving: Object.fromEntries(uses) } : {};
}

function networkVolumesOf({ cluster = {} }: RemoteOffer): { networkVolumes?: NodeVolumes } {
  const { networkVolumes } = cluster;
  if (!networkVolumes) return {};
  return { networkVolumes: networkVolumes.access === "ReadWriteOnce" ? "pinned" : "shared" };
}
