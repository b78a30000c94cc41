// The networks between engines: engines of one fabric form a swarm, whose overlay networks span them. One
// engine manages the swarm; the others are workers. Nothing but networks is run in it.

import type { FabricAddress, FabricManager } from "../../../domain/fabric/fabric.ts";
import { type FabricEngine, type FabricNetwork, FabricRefused } from "../../fabric-engine.ts";
import { type ContainerOwner, LABEL, ownerLabels } from "../container/container-spec.ts";
import { type Engine, messageOf, statusOf, unlessMissing } from "../engine.ts";

const PORT = 2377;
const JOIN_MS = 40_000;

interface SwarmInfo {
  LocalNodeState: string;
  NodeID: string;
  ControlAvailable: boolean;
  Error: string;
  RemoteManagers: { NodeID: string }[] | null;
  Cluster?: { Spec?: { Labels?: Record<string, string> | null } };
}

/** The name of a cluster's network on all engines of its fabric. */
export const overlayName = (cluster: string) => `freehold-cluster-${cluster}`;

export class Swarm implements FabricEngine {
  readonly #engine: Engine;
  readonly #owner: ContainerOwner;

  constructor(engine: Engine, owner: ContainerOwner) {
    this.#engine = engine;
    this.#owner = owner;
  }

  async lead({ name, address }: FabricAddress): Promise<FabricManager> {
    const labels = { [LABEL.installation]: this.#owner.installation, [LABEL.fabric]: name };
    if ((await this.#info()).LocalNodeState === "inactive") {
      await this.#change((docker) =>
        docker.swarmInit({ ...listenOn(address), Spec: { Labels: labels } }),
      );
    }
    const info = await this.#info();
    const found = info.Cluster?.Spec?.Labels ?? {};
    const isOurs = Object.entries(labels).every(([label, value]) => found[label] === value);
    if (!info.ControlAvailable || !isOurs) throw new FabricRefused(otherSwarm(name));
    const swarm = (await this.#engine.callWithin((docker) => docker.swarmInspect())) as {
      JoinTokens: { Worker: string };
    };
    const token = swarm.JoinTokens.Worker;
    return { node: info.NodeID, address: `${address}:${PORT}`, token };
  }

  async join({ name, address }: FabricAddress, manager: FabricManager): Promise<void> {
    if ((await this.#info()).LocalNodeState === "inactive") {
      const to = { RemoteAddrs: [manager.address], JoinToken: manager.token };
      await this.#change((docker) => docker.swarmJoin({ ...listenOn(address), ...to }));
    }
    const { RemoteManagers, Error: failure } = await this.#info();
    if (failure) throw new FabricRefused(`its engine cannot join the fabric "${name}": ${failure}`);
    const isOurs = RemoteManagers?.some(({ NodeID }) => NodeID === manager.node);
    if (!isOurs) throw new FabricRefused(otherSwarm(name));
  }

  async networks(fabric: string): Promise<string[]> {
    const { installation } = this.#owner;
    const label = [`${LABEL.installation}=${installation}`, `${LABEL.fabric}=${fabric}`];
    const found = await this.#engine.callWithin((docker) =>
      docker.listNetworks({ filters: { label } }),
    );
    return found.flatMap(({ Labels }) => Labels?.[LABEL.cluster] ?? []);
  }

  /** Static addresses come from the first half; the second is for the engines' own. */
  async ensureNetwork({ cluster, fabric, cidr }: FabricNetwork): Promise<void> {
    const name = overlayName(cluster);
    if (await this.#inspect(name)) return;
    const labels = { [LABEL.cluster]: cluster, [LABEL.fabric]: fabric };
    try {
      await this.#engine.callWithin((docker) =>
        docker.createNetwork({
          Name: name,
          Driver: "overlay",
          CheckDuplicate: true,
          Attachable: true,
          Internal: true,
          IPAM: { Driver: "default", Config: [{ Subnet: cidr, IPRange: secondHalf(cidr) }] },
          Labels: { ...ownerLabels(this.#owner), ...labels },
        }),
      );
    } catch (error) {
      if (statusOf(error) === null || !(await this.#inspect(name))) throw error;
    }
  }

  /** Rejects while containers use it. */
  async removeNetwork(cluster: string): Promise<void> {
    await this.#engine.callWithin((docker) =>
      unlessMissing(docker.getNetwork(overlayName(cluster)).remove()),
    );
  }

  #inspect(name: string) {
    return this.#engine.callWithin((docker) => unlessMissing(docker.getNetwork(name).inspect()));
  }

  async #info(): Promise<SwarmInfo> {
    const info = (await this.#engine.callWithin((docker) => docker.info())) as { Swarm: SwarmInfo };
    return info.Swarm;
  }

  /** What the engine then is part of decides, because another caller may have changed it meanwhile. */
  async #change(request: Parameters<Engine["callWithin"]>[0]): Promise<void> {
    try {
      await this.#engine.callWithin(request, JOIN_MS);
    } catch (error) {
      if (statusOf(error) === null) throw error;
      if ((await this.#info()).LocalNodeState !== "inactive") return;
      const hint = "the machines of a fabric need TCP 2377, TCP and UDP 7946, and UDP 4789";
      throw new FabricRefused(`its engine cannot join: ${messageOf(error)} (${hint})`);
    }
  }
}

function listenOn(address: string) {
  return {
    ListenAddr: `${address}:${PORT}`,
    AdvertiseAddr: address,
    DataPathAddr: address,
  };
}

/** "198.18.7.0/24" of "198.18.6.0/23". */
function secondHalf(cidr: string): string {
  const [a, b, c] = cidr.split(".");
  return `${a}.${b}.${Number(c) + 1}.0/24`;
}

function otherSwarm(fabric: string): string {
  return (
    `its engine is part of a swarm that is not the fabric "${fabric}"; ` +
    "run `docker swarm leave` there, or remove the machine from the fabric"
  );
}
