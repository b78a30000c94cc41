// The way from containers back to the service. Each account's network has a gateway address on the
// machine; a listener there serves the same requests as the service's own listener, which is on
// loopback and out of a container's reach. The port stays the same across restarts, because running
// containers know it. If Freehold runs in a container of the same engine, that container joins each account's network
// instead, and others find it there by its name.

import { isIPv4 } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import type { MachineFirewall } from "../../drivers/docker/network/firewall.ts";
import { DriverUnavailable, StartRefused } from "../../drivers/driver.ts";
import { KeyedMutex } from "../../drivers/keyed-mutex.ts";
import { AddressMissing, type HostNetwork, type Listening, PortTaken } from "./host-network.ts";
import { listenLater } from "./listen-later.ts";

/** The name of Freehold's own container in the accounts' networks. */
const OWN_NAME = "freehold";

/** Firewall rules are set again from time to time: other programs may have flushed them. */
const RULES_HOLD_MS = 60_000;

export interface PodConnectionOptions {
  clock: Clock;
  driver: DockerDriver;
  log: Logger;
  hostNetwork: HostNetwork;
  /** The preferred port if no earlier one is saved. */
  request: number;
  /** The address at which containers reach the service if the gateway address does not serve. */
  publicUrl: string | null;
  /** Gateways of one machine share it. */
  firewall: MachineFirewall;
  /** The port of an earlier run, saved by `keepPort`. */
  keptPort: number | null;
  keepPort: (port: number) => void;
}

export class ContainerGateway {
  readonly #options: PodConnectionOptions;
  /** The servers by gateway address. */
  readonly #listening = new Map<string, Promise<Listening>>();
  #port: number | null;
  readonly #joins = new KeyedMutex();
  #closed = false;
  #rulesFailureLogged = false;
  /** Set recently, or being set; shared by all networks. */
  #rules: { port: number; until: number; set: Promise<void> } | null = null;

  constructor(options: PodConnectionOptions) {
    this.#options = options;
    this.#port = options.keptPort;
    options.driver.onConnect(() => this.#openAgain());
    options.driver.networks.onCreate(() => this.#openCreated());
  }

  /** The URL of the service for the account's containers, such as http://172.18.0.1:8700. */
  async originFor(account: string): Promise<string> {
    const { driver, hostNetwork, publicUrl } = this.#options;
    const own = await driver.ownContainer();
    if (own) return this.#joinNetwork(account, own.id);
    const gateway = await driver.networks.gateway(account);
    try {
      const port = hostNetwork.everywhere ?? (await this.#listen(gateway));
      await this.#keepOut(port);
      return `http://${isIPv4(gateway) ? gateway : `[${gateway}]`}:${port}`;
    } catch (error) {
      if (error instanceof DriverUnavailable) throw error;
      if (publicUrl) return publicUrl;
      throw new StartRefused(
        `the machine cannot call back: ${(error as Error).message}`,
        "no_way_back",
      );
    }
  }

  async #joinNetwork(account: string, container: string): Promise<string> {
    const { driver, hostNetwork } = this.#options;
    const port = hostNetwork.everywhere ?? (await this.#listen("0.0.0.0"));
    await this.#joins.run(account, () => driver.networks.attach(account, container, OWN_NAME));
    this.#warnWithoutRules("Freehold runs in a container");
    return `http://${OWN_NAME}:${port}`;
  }

  /**
   * Serves containers that already run. If the engine is unavailable, they wait until it answers.
   */
  async open(): Promise<void> {
    if (await this.#options.driver.engine.isReachable()) await this.#openAgain().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const listening = await Promise.allSettled(this.#listening.values());
    await Promise.all(
      listening.flatMap((each) => (each.status === "fulfilled" ? [each.value.close()] : [])),
    );
  }

  /** Lets containers that already run reach the service again. */
  async #openAgain(): Promise<void> {
    this.#rules = null;
    for (const account of await this.#options.driver.networks.accounts()) {
      if (!this.#closed) await this.originFor(account).catch(() => {});
    }
  }

  /** The rules name the networks that they keep apart. */
  async #openCreated(): Promise<void> {
    const { driver, hostNetwork } = this.#options;
    const port = hostNetwork.everywhere ?? this.#port;
    if (port === null || !(await this.#isPodman()) || (await driver.ownContainer())) return;
    await this.#setRules(port);
  }

  /** A start may still ask for its network when the service stops. */
  async #listen(gateway: string): Promise<number> {
    if (this.#closed) throw new DriverUnavailable("The service stops.");
    const listening = this.#listening.get(gateway) ?? this.#bind(gateway);
    this.#listening.set(gateway, listening);
    try {
      const { port } = await listening;
      if (port !== this.#port) this.#options.keepPort(port);
      this.#port = port;
      return port;
    } catch (error) {
      this.#listening.delete(gateway);
      throw error;
    }
  }

  /** Tries the saved port, then the preferred one, then any. */
  async #bind(gateway: string): Promise<Listening> {
    const { hostNetwork, request } = this.#options;
    const over = () => void this.#listening.delete(gateway);
    for (const port of [this.#port, request, 0].filter((each) => each !== null)) {
      try {
        return await hostNetwork.listen(gateway, port, over);
      } catch (error) {
        if (error instanceof AddressMissing && (await this.#isPodman())) {
          // Podman gives the machine this address while a container of the network runs.
          const missed = (err: unknown) => this.#missed(gateway, err);
          const { driver, clock } = this.#options;
          const listen = () => hostNetwork.listen(gateway, port, over);
          return listenLater({ clock, driver, port, listen, missed });
        }
        if (!(error instanceof PortTaken)) throw error;
      }
    }
    throw new Error(`no port is free on ${gateway}`);
  }

  async #isPodman(): Promise<boolean> {
    return (await this.#options.driver.engine.kind()) === "podman";
  }

  #missed(gateway: string, err: unknown): void {
    this.#listening.delete(gateway);
    this.#options.log.warn({ err }, "containers that run cannot reach the service; later ones can");
  }

  /** Refreshing rules that are in place must not delay a start. */
  #keepOut(port: number): Promise<void> {
    const now = this.#options.clock.ticks();
    const before = this.#rules;
    if (before?.port === port && now < before.until) return before.set;
    const set = this.#setRules(port);
    set.catch(() => {}); // nothing may wait for it
    this.#rules = { port, until: now + RULES_HOLD_MS, set };
    return before?.port === port ? before.set : set;
  }

  /** Rules that are not set are set again with the next start. */
  async #setRules(port: number): Promise<void> {
    const { driver, firewall, hostNetwork } = this.#options;
    try {
      const why = await firewall.setRules(hostNetwork.run, driver.networks, port);
      if (why === null) return;
      this.#rules = null;
      this.#warnWithoutRules(why);
    } catch (error) {
      this.#rules = null;
      throw error;
    }
  }

  #warnWithoutRules(why: string): void {
    if (this.#rulesFailureLogged) return;
    this.#rulesFailureLogged = true;
    this.#options.log.warn(
      { why },
      "containers can reach the ports of their machine, on Podman also other accounts: firewall rules cannot be set",
    );
  }
}
