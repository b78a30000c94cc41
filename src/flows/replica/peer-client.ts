// The client for requests to another replica, which alone can observe the workloads on its machines.

import type { Duplex } from "node:stream";
import { type Clock, Deadline, LATE, within } from "../../base/clock.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { Fault } from "../../domain/fault.ts";
import type { MachineLoad } from "../../domain/machine/load/load.ts";
import { isPass, passFor } from "../../domain/replica/pass.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { ExecRequest, Execution, LogLine } from "../../drivers/driver.ts";
import type { KnownMachines } from "./known-machines.ts";
import type { WorkloadLocation } from "./log-source.ts";
import { execPath, openExecution } from "./remote-execution.ts";
import { openTunnel, tunnelPath } from "./tunnel.ts";

/** A replica that takes longer counts as unreachable. */
const ANSWER_MS = 3_000;

const pathOf = ({ machine, id }: WorkloadLocation, what: string) =>
  `/replica/machines/${machine}/workers/${id}/${what}`;

const logPath = (worker: WorkloadLocation, tail: number, since?: number) =>
  pathOf(worker, `logs?tail=${tail}${since === undefined ? "" : `&since=${since}`}`);

const followPath = (worker: WorkloadLocation, after: string | null) =>
  pathOf(worker, `follow${after === null ? "" : `?after=${encodeURIComponent(after)}`}`);

export class PeerClient {
  readonly #clock: Clock;
  readonly #machines: KnownMachines;
  readonly #key: string;
  readonly #refreshMachines: () => Promise<void>;

  /** `key` is shared by all replicas; `refreshMachines` updates `machines`. */
  constructor(deps: {
    clock: Clock;
    machines: KnownMachines;
    key: string;
    refreshMachines: () => Promise<void>;
  }) {
    this.#refreshMachines = deps.refreshMachines;
    this.#clock = deps.clock;
    this.#machines = deps.machines;
    this.#key = deps.key;
  }

  /** Whether a worker's machine is online and has its driver. */
  offer(worker: { machine: string; driver: string }): boolean {
    return this.#machines.offerOn(worker.machine, worker.driver);
  }

  /** Whether a request comes from another replica. */
  isPeer(header: string, path: string): boolean {
    return isPass(this.#key, header, path, this.#clock.now());
  }

  /** The log of a workload on another machine. Throws `worker_unreachable` if its replica does not respond. */
  async logs(worker: WorkloadLocation, tail: number, since?: number): Promise<LogLine[]> {
    const address = await this.#addressOf(worker);
    try {
      return await this.#ask(address, logPath(worker, tail, since));
    } catch {
      throw new Fault("worker_unreachable", { id: worker.id });
    }
  }

  /** Log lines after a mark, then new lines. Throws if the replica disconnects. */
  async *follow(
    worker: WorkloadLocation,
    after: string | null,
    callerSignal: AbortSignal,
  ): AsyncGenerator<LogLine[]> {
    const address = await this.#addressOf(worker);
    const { body } = await this.#inTime((timeout) =>
      this.#fetch(address, followPath(worker, after), AbortSignal.any([callerSignal, timeout])),
    );
    let rest = "";
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      const all = (rest + piece).split("\n");
      rest = all.pop()!;
      for (const line of all) yield JSON.parse(line) as LogLine[];
    }
  }

  /** A connection to a port of a Pod on another machine; rejects with NotReached. */
  async dial(pod: WorkloadLocation & { driver: string }, port: number): Promise<Duplex> {
    const address = await this.#addressOf(pod).catch(() => {
      throw new NotReached("machine_away");
    });
    const path = tunnelPath(pod, port);
    return openTunnel(address + path, passFor(this.#key, path, this.#clock.now()), this.#clock);
  }

  /** Runs a command in a Pod on another machine; rejects with ExecRefused or `worker_unreachable`. */
  async exec(pod: WorkloadLocation & { driver: string }, request: ExecRequest): Promise<Execution> {
    const address = await this.#addressOf(pod);
    const path = execPath(pod, request);
    const pass = passFor(this.#key, path, this.#clock.now());
    return openExecution(address + path, pass, this.#clock, pod.id);
  }

  /** Recent resource usage of a workload on another machine. */
  async usage(worker: WorkloadLocation): Promise<Sample[]> {
    const address = await this.#addressOf(worker);
    try {
      return await this.#ask(address, pathOf(worker, "usage"));
    } catch {
      throw new Fault("worker_unreachable", { id: worker.id });
    }
  }

  /** The newest sample of each workload on another machine. */
  async latestUsage(machine: string): Promise<Record<string, Sample>> {
    return this.#ask(
      await this.#addressOf({ id: machine, machine }),
      `/replica/machines/${machine}/usage`,
    );
  }

  /** The recent load of another machine. */
  async machineLoad(machine: string): Promise<MachineLoad[]> {
    return this.#ask(
      await this.#addressOf({ id: machine, machine }),
      `/replica/machines/${machine}/load`,
    );
  }

  /** The archive of a Flash build from the first other replica that has it; null if none that answers has. */
  async flashArchive(buildId: string): Promise<Response | null> {
    const path = `/replica/flash/archives/${buildId}`;
    // A replica that has just started may be in the store but not in memory yet.
    await this.#refreshMachines();
    for (const address of this.#machines.addresses()) {
      const answer = await this.#inTime((signal) => this.#fetch(address, path, signal)).catch(
        () => null,
      );
      if (answer) return answer;
    }
    return null;
  }

  async #addressOf({ id, machine }: WorkloadLocation): Promise<string> {
    // A machine that has just been added may be in the store but not in memory yet.
    if (!this.#machines.other(machine)) await this.#refreshMachines();
    const remote = this.#machines.other(machine);
    if (!remote) throw new Fault("worker_unreachable", { id });
    return remote.address;
  }

  async #ask<T>(address: string, path: string): Promise<T> {
    return this.#inTime(async (signal) => {
      const answer = await this.#fetch(address, path, signal);
      return (await answer.json()) as T;
    });
  }

  async #inTime<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const answer = await within(new Deadline(this.#clock, ANSWER_MS), request);
    if (answer === LATE) throw new Error(`no answer within ${ANSWER_MS / 1_000} s`);
    return answer;
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
