// The networks of an installation, one per account: the engine isolates networks, so containers of
// different accounts cannot reach each other. A network's gateway is this machine's address in it.

import { createHash } from "node:crypto";
import { LABEL, type Owner, ownerFilter, ownerLabels } from "../container/container-spec.ts";
import { type Engine, statusOf, unlessMissing } from "../engine.ts";

export class Networks {
  readonly #engine: Engine;
  readonly #owner: Owner;
  /** Creations in progress by name, so that parallel starts create a network once. */
  readonly #creations = new Map<string, Promise<void>>();

  constructor(engine: Engine, owner: Owner) {
    this.#engine = engine;
    this.#owner = owner;
  }

  /** The prefix of all bridge names of this machine, for firewall rules. */
  get bridgePrefix(): string {
    return `fh${digest(this.#owner.machine, 5)}`;
  }

  /** Creates the account's network if it is missing; resolves to its name. */
  async ensure(account: string): Promise<string> {
    await this.#ensureNetwork(account);
    return this.#name(account);
  }

  async #ensureNetwork(account: string) {
    const name = this.#name(account);
    const found = await this.#inspect(name);
    if (found) return found;
    const creation =
      this.#creations.get(name) ??
      this.#create(name, account).finally(() => this.#creations.delete(name));
    this.#creations.set(name, creation);
    await creation;
    return this.#inspect(name);
  }

  async #create(name: string, account: string): Promise<void> {
    try {
      await this.#engine.callWithin((docker) =>
        docker.createNetwork({
          Name: name,
          Driver: "bridge",
          CheckDuplicate: true,
          Labels: { ...ownerLabels(this.#owner), [LABEL.account]: account },
          Options: {
            "com.docker.network.bridge.name": `${this.bridgePrefix}${digest(account, 7)}`,
          },
        }),
      );
    } catch (error) {
      // Another caller may have created it meanwhile, which engines report in several ways.
      if (statusOf(error) === null || !(await this.#inspect(name))) throw error;
    }
  }

  /** This machine's address in the account's network. */
  async gateway(account: string): Promise<string> {
    const network = await this.#ensureNetwork(account);
    const gateway = network?.IPAM?.Config?.find((each) => each.Gateway)?.Gateway;
    if (!gateway) throw new Error(`the network ${this.#name(account)} has no gateway`);
    return gateway;
  }

  /** The accounts with a network. */
  async accounts(): Promise<string[]> {
    const filters = ownerFilter(this.#owner);
    const all = await this.#engine.callWithin((docker) => docker.listNetworks({ filters }));
    return all.flatMap(({ Labels }) => Labels?.[LABEL.account] ?? []);
  }

  #name(account: string): string {
    return `freehold-${this.#owner.machine}-${account}`;
  }

  #inspect(name: string) {
    return this.#engine.callWithin((docker) => unlessMissing(docker.getNetwork(name).inspect()));
  }
}

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
