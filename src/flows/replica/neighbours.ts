// What one replica asks of another: only it can see what runs on its machine.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { isPass, passFor } from "../../domain/replica/pass.ts";
import type { LogLine } from "../../drivers/driver.ts";
import type { KnownMachines } from "./known-machines.ts";

/** A replica that takes longer is as good as gone; who asks is told so. */
const ANSWER_MS = 3_000;

export const logPath = (workerId: string, tail: number) =>
  `/replica/workers/${workerId}/logs?tail=${tail}`;

export class Neighbours {
  readonly #clock: Clock;
  readonly #machines: KnownMachines;
  readonly #key: string;
  readonly #look: () => Promise<void>;

  /** `key` is one that only replicas have; `look` brings what is known of machines up to date. */
  constructor(deps: {
    clock: Clock;
    machines: KnownMachines;
    key: string;
    look: () => Promise<void>;
  }) {
    this.#look = deps.look;
    this.#clock = deps.clock;
    this.#machines = deps.machines;
    this.#key = deps.key;
  }

  isHere(machine: string): boolean {
    return machine === this.#machines.own;
  }

  /** Whether a worker's machine is there and has its driver. */
  offer(worker: { machine: string; driver: string }): boolean {
    return this.#machines.offerOn(worker.machine, worker.driver);
  }

  /** Whether a request comes from another replica. */
  admit(header: string, path: string): boolean {
    return isPass(this.#key, header, path, this.#clock.now());
  }

  /** The log of a worker on another machine; the fault `worker_unreachable` where nobody answers. */
  async logs(worker: { id: string; machine: string }, tail: number): Promise<LogLine[]> {
    // One that has just come may be known to the store and not yet here.
    if (!this.#machines.other(worker.machine)) await this.#look();
    const there = this.#machines.other(worker.machine);
    if (!there) throw new Fault("worker_unreachable", { id: worker.id });
    try {
      return (await this.#ask(there.address, logPath(worker.id, tail))) as LogLine[];
    } catch {
      throw new Fault("worker_unreachable", { id: worker.id });
    }
  }

  async #ask(address: string, path: string): Promise<unknown> {
    const late = new AbortController();
    const cancel = this.#clock.after(ANSWER_MS, () => late.abort());
    try {
      const authorization = passFor(this.#key, path, this.#clock.now());
      const asked = { headers: { authorization }, signal: late.signal, redirect: "error" } as const;
      const answer = await fetch(address + path, asked);
      if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
      return await answer.json();
    } finally {
      cancel();
    }
  }
}
