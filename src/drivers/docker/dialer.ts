// Connections to where running containers are in their networks. An address is another container's
// soon after the one that had it has ended, so none is believed for long, nor once there was news of
// its workload.

import type { Duplex } from "node:stream";
import type { ContainerInspectInfo } from "dockerode";
import type { Clock } from "../../base/clock.ts";
import { NotReached } from "../../domain/pod/unreached.ts";
import { isWorkloadId } from "../workload-id.ts";
import { sightingOf } from "./sighting.ts";

const BELIEVED_MS = 1_000;

/** A connection to an address of a container's network. Rejects with NotReached. */
export type Connect = (address: string, port: number) => Promise<Duplex>;

export class Dialer {
  readonly #clock: Clock;
  readonly #connect: Connect;
  readonly #find: (id: string) => Promise<ContainerInspectInfo | null>;
  readonly #known = new Map<string, { asked: Promise<string | null>; until: number }>();

  /** `find` gives a workload's container as the engine has it now. */
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
    this.#known.delete(id);
  }

  async #addressOf(id: string): Promise<string | null> {
    const now = this.#clock.now();
    const known = this.#known.get(id);
    if (known && now < known.until) return known.asked;
    const asked = this.#ask(id);
    this.#known.set(id, { asked, until: now + BELIEVED_MS });
    const address = await asked.catch((error) => {
      this.forget(id);
      throw error;
    });
    if (address === null) this.forget(id);
    return address;
  }

  async #ask(id: string): Promise<string | null> {
    const found = await this.#find(id);
    return found ? (sightingOf(id, found).address ?? null) : null;
  }
}
