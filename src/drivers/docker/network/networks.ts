// The networks of an installation, one per account and one per cluster: the engine isolates networks,
// so containers of different accounts cannot reach each other. A network's gateway is this machine's address in it.

import { createHash } from "node:crypto";
import type { NetworkCreateOptions } from "dockerode";
import type { NetworkMembership } from "../../driver.ts";
import {
  type ContainerOwner,
  LABEL,
  ownerFilter,
  ownerLabels,
} from "../container/container-spec.ts";
import { type Engine, messageOf, statusOf, unlessMissing } from "../engine.ts";
import { networkError } from "../engine-error.ts";
import { BRIDGE_NAME, findNetwork, listNetworks } from "../podman/engine-networks.ts";
import { createIsolated } from "../podman/libpod-network.ts";
import { overlayName } from "./swarm.ts";

type Settings = Pick<NetworkCreateOptions, "Internal" | "IPAM"> & {
  Labels: Record<string, string>;
};

export class Networks {
  readonly #engine: Engine;
  readonly #owner: ContainerOwner;
  /** Creations in progress by name, so that parallel starts create a network once. */
  readonly #creations = new Map<string, Promise<void>>();
  readonly #createListeners: (() => Promise<void>)[] = [];

  constructor(engine: Engine, owner: ContainerOwner) {
    this.#engine = engine;
    this.#owner = owner;
  }

  /** The prefix of all bridge names of this machine, for firewall rules. */
  get bridgePrefix(): string {
    return `fh${digest(this.#owner.machine, 5)}`;
  }

  /** Called after the creation of a network, and before anything runs in it. */
  onCreate(listener: () => Promise<void>): void {
    this.#createListeners.push(listener);
  }

  /** The machine's interfaces in all networks; null if the engine itself keeps them apart. */
  async bridges(): Promise<string[] | null> {
    if ((await this.#engine.kind()) !== "podman") return null;
    const all = await listNetworks(this.#engine, ownerFilter(this.#owner));
    return all.flatMap(({ bridge }) => bridge ?? []);
  }

  /** Creates the account's network if it is missing; resolves to its name. */
  async ensure(account: string): Promise<string> {
    await this.#ensureNetwork(account);
    return this.#name(account);
  }

  /** Connects a running container to the account's network, where others reach it by the name. */
  async attach(account: string, container: string, alias: string): Promise<void> {
    await this.#ensureNetwork(account);
    const { NetworkSettings } = await this.#engine.callWithin((docker) =>
      docker.getContainer(container).inspect(),
    );
    if (NetworkSettings.Networks?.[this.#name(account)]) return;
    const endpoint = { Container: container, EndpointConfig: { Aliases: [alias] } };
    await this.#engine.callWithin((docker) =>
      docker.getNetwork(this.#name(account)).connect(endpoint),
    );
  }

  #ensureNetwork(account: string) {
    return this.#ensureNamed(this.#name(account), account, {
      Labels: { [LABEL.account]: account },
    });
  }

  /**
   * Connects a container that was not started yet. The network has no route to the outside, which
   * the account's network has.
   */
  async join(container: string, { id, cidr, address, fabric }: NetworkMembership): Promise<void> {
    // The manager of the fabric creates its networks; other engines learn of one when they attach to it.
    const name = fabric === undefined ? this.#clusterName(id) : overlayName(id);
    if (fabric === undefined) {
      await this.#ensureNamed(name, id, {
        Internal: true,
        IPAM: { Driver: "default", Config: [{ Subnet: cidr }] },
        Labels: { [LABEL.cluster]: id },
      });
    }
    const endpoint = { IPAMConfig: { IPv4Address: address } };
    await this.#engine.callWithin((docker) =>
      docker.getNetwork(name).connect({ Container: container, EndpointConfig: endpoint }),
    );
  }

  /** Leaves a network that containers still use. */
  async remove(id: string): Promise<void> {
    const name = this.#clusterName(id);
    try {
      await this.#engine.callWithin((docker) => unlessMissing(docker.getNetwork(name).remove()));
    } catch (error) {
      if (!isInUse(error)) throw error;
    }
  }

  async #ensureNamed(name: string, key: string, settings: Settings) {
    const found = await findNetwork(this.#engine, name);
    if (found) return found;
    const creation =
      this.#creations.get(name) ??
      this.#create(name, key, settings).finally(() => this.#creations.delete(name));
    this.#creations.set(name, creation);
    await creation;
    return findNetwork(this.#engine, name);
  }

  async #create(name: string, key: string, { Labels, ...settings }: Settings): Promise<void> {
    try {
      const options = {
        Name: name,
        Driver: "bridge",
        CheckDuplicate: true,
        Options: { [BRIDGE_NAME]: `${this.bridgePrefix}${digest(key, 7)}` },
        ...settings,
        Labels: { ...ownerLabels(this.#owner), ...Labels },
      };
      if ((await this.#engine.kind()) === "podman") await createIsolated(this.#engine, options);
      else await this.#engine.callWithin((docker) => docker.createNetwork(options));
      for (const listener of this.#createListeners) await listener();
    } catch (error) {
      // Another caller may have created it meanwhile, which engines report in several ways.
      if (statusOf(error) !== null && (await findNetwork(this.#engine, name))) return;
      throw networkError(messageOf(error)) ?? error;
    }
  }

  /** This machine's address in the account's network. */
  async gateway(account: string): Promise<string> {
    const network = await this.#ensureNetwork(account);
    if (network?.gateway) return network.gateway;
    throw new Error(`the network ${this.#name(account)} has no gateway`);
  }

  /** The accounts with a network. */
  async accounts(): Promise<string[]> {
    const all = await listNetworks(this.#engine, ownerFilter(this.#owner));
    return all.flatMap(({ labels }) => labels[LABEL.account] ?? []);
  }

  #name(account: string): string {
    return `freehold-${this.#owner.machine}-${account}`;
  }

  #clusterName(id: string): string {
    return `freehold-${this.#owner.machine}-cluster-${id}`;
  }
}

/** An engine's refusal to remove a network that containers use. */
const isInUse = (error: unknown) =>
  statusOf(error) === 403 || /network is being used/i.test(messageOf(error));

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
