// A network for each account: the engine keeps networks apart, so that containers of two accounts
// cannot reach each other. Its gateway is this machine as containers see it.

import { createHash } from "node:crypto";
import { LABEL } from "./container.ts";
import { type Engine, statusOf, unlessMissing } from "./engine.ts";

export class Networks {
  readonly #engine: Engine;
  readonly #installation: string;
  /** By name; several who need one at once make it once. */
  readonly #making = new Map<string, Promise<void>>();

  constructor(engine: Engine, installation: string) {
    this.#engine = engine;
    this.#installation = installation;
  }

  /** Every bridge of this installation begins so, which is what a firewall can go by. */
  get bridgePrefix(): string {
    return `fh${digest(this.#installation, 5)}`;
  }

  /** The account's network, made where it is not there; resolves to its name. */
  async ensure(account: string): Promise<string> {
    await this.#there(account);
    return this.#name(account);
  }

  async #there(account: string) {
    const name = this.#name(account);
    const found = await this.#inspect(name);
    if (found) return found;
    const making =
      this.#making.get(name) ?? this.#make(name, account).finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    await making;
    return this.#inspect(name);
  }

  async #make(name: string, account: string): Promise<void> {
    try {
      await this.#engine.askSoon((docker) =>
        docker.createNetwork({
          Name: name,
          Driver: "bridge",
          CheckDuplicate: true,
          Labels: { [LABEL.installation]: this.#installation, [LABEL.account]: account },
          Options: {
            "com.docker.network.bridge.name": `${this.bridgePrefix}${digest(account, 7)}`,
          },
        }),
      );
    } catch (error) {
      // Somebody else made it meanwhile, which engines say in several ways.
      if (statusOf(error) === null || !(await this.#inspect(name))) throw error;
    }
  }

  /** This machine's address in the account's network. */
  async gateway(account: string): Promise<string> {
    const network = await this.#there(account);
    const gateway = network?.IPAM?.Config?.find((each) => each.Gateway)?.Gateway;
    if (!gateway) throw new Error(`the network ${this.#name(account)} has no gateway`);
    return gateway;
  }

  /** The accounts that have a network. */
  async accounts(): Promise<string[]> {
    const filters = { label: [`${LABEL.installation}=${this.#installation}`] };
    const all = await this.#engine.askSoon((docker) => docker.listNetworks({ filters }));
    return all.flatMap(({ Labels }) => Labels?.[LABEL.account] ?? []);
  }

  #name(account: string): string {
    return `freehold-${this.#installation}-${account}`;
  }

  #inspect(name: string) {
    return this.#engine.askSoon((docker) => unlessMissing(docker.getNetwork(name).inspect()));
  }
}

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
