// What one replica asks of another: only it can see what runs on its machine.

import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { NotReached } from "../../domain/pod/unreached.ts";
import { isPass, passFor } from "../../domain/replica/pass.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { Execution, ExecWish, LogLine } from "../../drivers/driver.ts";
import type { KnownMachines } from "./known-machines.ts";
import { execPath, openExecution } from "./remote-execution.ts";
import { openTunnel, tunnelPath } from "./tunnel.ts";

/** A replica that takes longer is as good as gone; who asks is told so. */
const ANSWER_MS = 3_000;

const pathOf = ({ machine, id }: Elsewhere, what: string) =>
  `/replica/machines/${machine}/workers/${id}/${what}`;

const logPath = (worker: Elsewhere, tail: number, since?: number) =>
  pathOf(worker, `logs?tail=${tail}${since === undefined ? "" : `&since=${since}`}`);

const followPath = (worker: Elsewhere, after: string | null) =>
  pathOf(worker, `follow${after === null ? "" : `?after=${encodeURIComponent(after)}`}`);

/** A Pod or worker on another machine. */
interface Elsewhere {
  id: string;
  machine: string;
}

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

  /** Whether a worker's machine is there and has its driver. */
  offer(worker: { machine: string; driver: string }): boolean {
    return this.#machines.offerOn(worker.machine, worker.driver);
  }

  /** Whether a request comes from another replica. */
  admit(header: string, path: string): boolean {
    return isPass(this.#key, header, path, this.#clock.now());
  }

  /** The log of a worker on another machine; the fault `worker_unreachable` where nobody answers. */
  async logs(worker: Elsewhere, tail: number, since?: number): Promise<LogLine[]> {
    const address = await this.#addressOf(worker);
    try {
      return await this.#ask(address, logPath(worker, tail, since));
    } catch {
      throw new Fault("worker_unreachable", { id: worker.id });
    }
  }

  /** What stands in its log behind a mark, and what it prints; breaks off where its replica goes. */
  async *follow(
    worker: Elsewhere,
    after: string | null,
    gone: AbortSignal,
  ): AsyncGenerator<LogLine[]> {
    const address = await this.#addressOf(worker);
    const late = new AbortController();
    const cancel = this.#clock.after(ANSWER_MS, () => late.abort());
    const signal = AbortSignal.any([gone, late.signal]);
    const { body } = await this.#fetch(address, followPath(worker, after), signal).finally(cancel);
    let rest = "";
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      const all = (rest + piece).split("\n");
      rest = all.pop()!;
      for (const line of all) yield JSON.parse(line) as LogLine[];
    }
  }

  /** A connection to a port of a Pod on another machine; rejects with NotReached. */
  async dial(pod: Elsewhere & { driver: string }, port: number): Promise<Duplex> {
    const address = await this.#addressOf(pod).catch(() => {
      throw new NotReached("machine_away");
    });
    const path = tunnelPath(pod, port);
    return openTunnel(address + path, passFor(this.#key, path, this.#clock.now()), this.#clock);
  }

  /** Runs a command in a Pod on another machine; rejects with ExecRefused or `worker_unreachable`. */
  async exec(pod: Elsewhere & { driver: string }, wish: ExecWish): Promise<Execution> {
    const address = await this.#addressOf(pod);
    const path = execPath(pod, wish);
    const pass = passFor(this.#key, path, this.#clock.now());
    return openExecution(address + path, pass, this.#clock, pod.id);
  }

  /** What a workload on another machine used lately. */
  async usage(worker: Elsewhere): Promise<Sample[]> {
    const address = await this.#addressOf(worker);
    try {
      return await this.#ask(address, pathOf(worker, "usage"));
    } catch {
      throw new Fault("worker_unreachable", { id: worker.id });
    }
  }

  /** The last sample of each workload on another machine. */
  async latestUsage(machine: string): Promise<Record<string, Sample>> {
    return this.#ask(
      await this.#addressOf({ id: machine, machine }),
      `/replica/machines/${machine}/usage`,
    );
  }

  async #addressOf({ id, machine }: Elsewhere): Promise<string> {
    // One that has just come may be known to the store and not yet here.
    if (!this.#machines.other(machine)) await this.#look();
    const there = this.#machines.other(machine);
    if (!there) throw new Fault("worker_unreachable", { id });
    return there.address;
  }

  async #ask<T>(address: string, path: string): Promise<T> {
    const late = new AbortController();
    const cancel = this.#clock.after(ANSWER_MS, () => late.abort());
    try {
      return (await (await this.#fetch(address, path, late.signal)).json()) as T;
    } finally {
      cancel();
    }
  }

  async #fetch(address: string, path: string, signal: AbortSignal): Promise<Response> {
    const authorization = passFor(this.#key, path, this.#clock.now());
    const answer = await fetch(address + path, {
      headers: { authorization },
      signal,
      redirect: "error",
    });
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
    return answer;
  }
}
