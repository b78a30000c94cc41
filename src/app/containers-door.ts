// The way from containers back to the service. Each account's network has a gateway, which is their
// machine; on its address the same requests are taken as where the service itself listens, because
// that is loopback, where no container is. The port stays the same over restarts: containers live on,
// and know it.

import { isIPv4 } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { DockerDriver } from "../drivers/docker/docker-driver.ts";
import { applyRules } from "../drivers/docker/firewall.ts";
import { DriverAway, StartRefused } from "../drivers/driver.ts";
import { type Ground, type Listening, PortTaken } from "./ground.ts";

/** Whoever manages the machine's firewall may have dropped our rules meanwhile. */
const RULES_HOLD_MS = 60_000;

export interface DoorOptions {
  clock: Clock;
  driver: DockerDriver;
  log: FastifyBaseLogger;
  ground: Ground;
  /** The port that is taken first where there is none of earlier. */
  wish: number;
  /** Where containers reach the service if they cannot by their machine's address. */
  publicUrl: string | null;
  /** The port of an earlier life, kept by `keepPort`. */
  keptPort: number | null;
  keepPort: (port: number) => void;
}

export class ContainersDoor {
  readonly #options: DoorOptions;
  /** By gateway. */
  readonly #listening = new Map<string, Promise<Listening>>();
  #port: number | null;
  #closed = false;
  #toldOfRules = false;
  /** Set lately, or on their way; for all networks alike. */
  #rules: { port: number; until: number; set: Promise<void> } | null = null;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#port = options.keptPort;
    options.driver.onConnect(() => this.#openAgain());
  }

  /** Where the account's containers reach the service: http://172.18.0.1:8700 */
  async originFor(account: string): Promise<string> {
    const { driver, ground, publicUrl } = this.#options;
    const gateway = await driver.networks.gateway(account);
    try {
      const port = ground.everywhere ?? (await this.#listen(gateway));
      await this.#keepOut(port);
      return `http://${isIPv4(gateway) ? gateway : `[${gateway}]`}:${port}`;
    } catch (error) {
      if (error instanceof DriverAway) throw error;
      if (publicUrl) return publicUrl;
      throw new StartRefused(
        `the machine cannot call back: ${(error as Error).message}`,
        "no_way_back",
      );
    }
  }

  /** For containers that are there already; where the engine is away, they wait until it answers. */
  async open(): Promise<void> {
    if (await this.#options.driver.engine.answers()) await this.#openAgain().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const listening = await Promise.allSettled(this.#listening.values());
    await Promise.all(
      listening.flatMap((each) => (each.status === "fulfilled" ? [each.value.close()] : [])),
    );
  }

  /** Containers that are there already find the service again. */
  async #openAgain(): Promise<void> {
    this.#rules = null;
    for (const account of await this.#options.driver.networks.accounts()) {
      if (!this.#closed) await this.originFor(account).catch(() => {});
    }
  }

  async #listen(gateway: string): Promise<number> {
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

  /** The port of earlier, then the one wished for, then any. */
  async #bind(gateway: string): Promise<Listening> {
    const { ground, wish } = this.#options;
    const over = () => void this.#listening.delete(gateway);
    for (const port of [this.#port, wish, 0].filter((each) => each !== null)) {
      try {
        return await ground.listen(gateway, port, over);
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error;
      }
    }
    throw new Error(`no port is free on ${gateway}`);
  }

  /** Nobody waits for rules that were set to be set again. */
  #keepOut(port: number): Promise<void> {
    const now = this.#options.clock.now();
    const before = this.#rules;
    if (before?.port === port && now < before.until) return before.set;
    const set = this.#setRules(port);
    this.#rules = { port, until: now + RULES_HOLD_MS, set };
    return before?.port === port ? before.set : set;
  }

  async #setRules(port: number): Promise<void> {
    const { driver, log, ground } = this.#options;
    const rules = { bridgePrefix: driver.networks.bridgePrefix, port };
    const why = await applyRules(ground.run, rules);
    if (why !== null) this.#rules = null; // tried again with the next start
    if (why !== null && !this.#toldOfRules) {
      this.#toldOfRules = true;
      log.warn({ why }, "containers can reach the ports of their machine: no rules could be set");
    }
  }
}
