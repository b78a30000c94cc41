// Runs workloads that exist only in memory: for tests, for the simulator, and for whoever tries the
// product on a laptop. It opens no socket of its own; its workers call as real ones do.
import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/pod/exec-refused.ts";
import { NotReached } from "../../domain/pod/unreached.ts";
import { ChangeListeners } from "../change-listeners.ts";
import type { Driver, LogLine, Sighting, Usage, Workload } from "../driver.ts";
import { refuseIllegalId } from "../workload-id.ts";
import { type Behaviour, readBehaviour, wellBehaved } from "./behaviour.ts";
import type { Transport } from "./exchange.ts";
import { FakeLog } from "./fake-log.ts";
import { FakeWorker, type Orders } from "./fake-worker.ts";

export interface FakeDriverOptions {
  clock: Clock;
  /** What carries the workers' calls; `fetch` unless another is given. */
  transport?: Transport;
  /** How workers behave whose start command does not say. */
  behaviour?: Partial<Behaviour>;
}

export interface FakeDriver extends Driver {
  /** Changes how a running worker behaves, from now on; throws if it is unknown. */
  tell(id: string, orders: Orders): void;
  /** What it was started with last; undefined if it is unknown. */
  given(id: string): Workload | undefined;
}

export function openFakeDriver(options: FakeDriverOptions): FakeDriver {
  return new InMemoryDriver(options);
}

class InMemoryDriver implements FakeDriver {
  readonly name = "fake";
  readonly outlives = false;
  readonly publishes = true;
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #usual: Behaviour;
  readonly #workers = new Map<string, FakeWorker>();
  readonly #given = new Map<string, Workload>();
  /** One log for all the starts of a workload. */
  readonly #logs = new Map<string, FakeLog>();
  readonly #listeners = new ChangeListeners();

  constructor({ clock, transport, behaviour }: FakeDriverOptions) {
    this.#clock = clock;
    this.#transport = transport ?? ((url, call) => fetch(url, call));
    this.#usual = { ...wellBehaved, ...behaviour };
  }

  async list(): Promise<Sighting[]> {
    return Array.from(this.#workers.values(), ({ sighting }) => ({ ...sighting }));
  }

  async logs(id: string, tail: number, since?: number): Promise<LogLine[]> {
    return this.#logs.get(id)?.tail(tail, since) ?? [];
  }

  async *follow(
    id: string,
    after: string | null,
    gone: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    const runs = () => this.#workers.get(id)?.sighting.state === "running";
    const log = this.#logs.get(id);
    if (log) yield* log.follow(after, gone, () => !runs());
  }

  async dial(id: string, port: number): Promise<Duplex> {
    const worker = this.#workers.get(id);
    if (worker?.sighting.state !== "running") throw new NotReached("not_running");
    return worker.page.connect(port);
  }

  /** What its behaviour says: nothing is used in truth. */
  async usage(): Promise<Usage[]> {
    return [...this.#workers.values()].flatMap(({ usage }) => usage ?? []);
  }

  async exec(): Promise<never> {
    throw new ExecRefused("a fake workload has no inside that a command could run in");
  }

  async quota(): Promise<"measured"> {
    return "measured";
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload): Promise<void> {
    const { id, entrypoint, command } = workload;
    refuseIllegalId(id);
    const behaviour = readBehaviour([...entrypoint, ...command], this.#usual);
    for (;;) {
      const before = this.#workers.get(id);
      if (before?.sighting.state !== "running") break;
      if (!before.stopping) return;
      await before.gone;
    }
    const log = this.#logs.get(id) ?? new FakeLog();
    this.#logs.set(id, log);
    const onEnd = () => {
      log.wake();
      this.#listeners.tell(id);
    };
    const around = { clock: this.#clock, transport: this.#transport, log, onEnd };
    this.#workers.set(id, new FakeWorker(workload, behaviour, around));
    this.#given.set(id, workload);
    this.#listeners.tell(id);
  }

  async stop(id: string, graceMs: number): Promise<void> {
    const worker = this.#workers.get(id);
    if (worker?.sighting.state !== "running") return;
    worker.terminate();
    if (graceMs <= 0) return worker.kill("SIGKILL");
    const callOff = this.#clock.after(graceMs, () => worker.kill("SIGKILL"));
    await worker.gone;
    callOff();
  }

  async wipe(id: string): Promise<void> {
    if (this.#workers.get(id)?.sighting.state === "running") {
      throw new Error(`Workload ${id} still runs: stop it before it is removed.`);
    }
    this.#workers.delete(id);
    this.#given.delete(id);
  }

  async remove(id: string): Promise<void> {
    await this.wipe(id);
    this.#logs.delete(id);
  }

  /** Nothing is ever in one. */
  async removeVolume(): Promise<void> {}

  async close(): Promise<void> {
    this.#listeners.clear();
    for (const worker of this.#workers.values()) worker.vanish();
  }

  given(id: string): Workload | undefined {
    return this.#given.get(id);
  }

  tell(id: string, orders: Orders): void {
    const worker = this.#workers.get(id);
    if (!worker) throw new Error(`No fake worker has the id ${JSON.stringify(id)}.`);
    worker.tell(orders);
  }
}
