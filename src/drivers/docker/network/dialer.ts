// Connections to running containers at their network addresses. An engine reuses an address soon after
// its container has ended, so an address is cached only briefly, and until the next event of its workload.

import type { Duplex } from "node:stream";
import type { ContainerInspectInfo } from "dockerode";
import type { Clock } from "../../../base/clock.ts";
import { NotReached } from "../../../domain/container/unreachable-port.ts";
import { isWorkloadId } from "../../workload-id.ts";
import { observationOf } from "../container/observation.ts";

const CACHE_MS = 1_000;

/** A connection to an address of a container's network. Rejects with NotReached. */
export type Connect = (address: string, port: number) => Promise<Duplex>;

export class Dialer {
  readonly #clock: Clock;
  readonly #connect: Connect;
  readonly #find: (id: string) => Promise<ContainerInspectInfo | null>;
  readonly #cache = new Map<string, { address: Promise<string | null>; until: number }>();

  /** `find` inspects a workload's container. */
  constructor(
    clock: Clock,
    connect: Connect,
    find: (id: string) => Promise<ContainerInspectInfo | null>,
  ) {
    this.#clock = clock;
    this.#connect = connect;
    this.#find = find;
  }

  async dial(id: string, port: number) {
    const address = isWorkloadId(id) ? await this.#addressOf(id) : null;
    if (address === null) throw new NotReached("not_running");
    return this.#connect(address, port);
  }

  forget(id: string): void {
    this.#cache.delete(id);
  }

  async #addressOf(id: string): Promise<string | null> {
    const now = this.#clock.ticks();
    const cached = this.#cache.get(id);
    if (cached && now < cached.until) return cached.address;
    const lookup = this.#lookUp(id);
    this.#cache.set(id, { address: lookup, until: now + CACHE_MS });
    const address = await lookup.catch((error) => {
      this.forget(id);
      throw error;
    });
    if (address === null) this.forget(id);
    return address;
  }

  async #lookUp(id: string): Promise<string | null> {
    const container = await this.#find(id);
    return container ? (observationOf(id, container).address ?? null) : null;
  }
}
