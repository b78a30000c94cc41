// Runs workloads as containers of an engine. What is ours there carries labels, so that it is found
// again after a restart of the service or of the engine, and nothing else is ever touched. A name can
// be taken only once, so that nothing is started twice.

import type { Clock } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/pod/exec-refused.ts";
import { ChangeListeners } from "../change-listeners.ts";
import { connectTo } from "../connect.ts";
import type {
  Driver,
  Execution,
  ExecWish,
  LogLine,
  Quota,
  Sighting,
  Tell,
  Usage,
  VolumeName,
  Workload,
} from "../driver.ts";
import { Turns } from "../turns.ts";
import { isWorkloadId, refuseIllegalId } from "../workload-id.ts";
import type { EngineAddress } from "./address.ts";
import { clearAway } from "./clear-away.ts";
import { containerFor, LABEL, volumeName } from "./container.ts";
import { ContainerEnd } from "./container-end.ts";
import { ContainerLogs } from "./container-logs.ts";
import { Containers } from "./containers.ts";
import { type Connect, Dialer } from "./dialer.ts";
import { Engine, statusOf, unlessMissing, wordsOf } from "./engine.ts";
import { type Event, followEvents } from "./events.ts";
import { execIn } from "./exec.ts";
import { Images } from "./images.ts";
import type { LogShelf } from "./kept-logs.ts";
import { Networks } from "./networks.ts";
import type { ImageMarks } from "./private-images.ts";
import { canLimitDisk, isDiskLimitRefused } from "./quota.ts";
import { isRunning, neverRan } from "./sighting.ts";
import { ToldOnce } from "./told-once.ts";
import { startRefused } from "./trouble.ts";
import { ContainerUsage } from "./usage.ts";

export interface DockerDriverOptions extends EngineAddress {
  clock: Clock;
  /** Tells this Freehold's containers from any other's on the same engine. */
  installation: string;
  imageMarks: ImageMarks;
  logShelf: LogShelf;
  /** The address of the engine's machine that published ports are bound to. */
  publishOn: string;
  /** The way to containers; left out, their addresses are this machine's to reach. */
  connect?: Connect;
}

export interface DockerDriver extends Driver {
  readonly networks: Networks;
  readonly engine: Engine;
  /** Called whenever the engine answers for the first time, or again; at once where it has. */
  onConnect(listener: () => Promise<void>): void;
  /** Removes all that is ours on the engine, with its data: for a machine that is one no more. */
  clearAway(): Promise<void>;
}

/** Asks the engine nothing yet: it may be away, and come. */
export function openDockerDriver(options: DockerDriverOptions): DockerDriver {
  return new ContainerDriver(options);
}

class ContainerDriver implements DockerDriver {
  readonly name = "docker";
  readonly outlives = true;
  readonly publishes = true;
  readonly dial = (id: string, port: number) => this.#dialer.dial(id, port);
  readonly networks: Networks;
  readonly engine: Engine;
  readonly #options: DockerDriverOptions;
  readonly #containers: Containers;
  readonly #images: Images;
  readonly #logs: ContainerLogs;
  readonly #turns = new Turns();
  readonly #listeners = new ChangeListeners();
  readonly #closed = new AbortController();
  readonly #following: Promise<void>;
  readonly #ends = new Map<string, ContainerEnd>();
  /** Workloads that wait for their image. */
  readonly #waiting = new Map<string, AbortController>();
  readonly #dialer: Dialer;
  /** Workloads that have, or may have, a container which is not started yet. */
  readonly #starting = new Set<string>();
  readonly #told = new ToldOnce(this.#listeners);
  readonly #usage: ContainerUsage;
  #execs = 0;
  #hasConnected = false;
  #connected: () => Promise<void> = async () => {};
  /** Whether the engine can limit a container's disk; null until it was tried. */
  #limitsDisk: boolean | null = null;

  constructor(options: DockerDriverOptions) {
    const { clock, installation, imageMarks, logShelf } = options;
    const { connect = (address, port) => connectTo(address, port, clock) } = options;
    this.#options = options;
    this.engine = new Engine(options, clock);
    this.#containers = new Containers(this.engine, installation);
    this.networks = new Networks(this.engine, installation);
    this.#dialer = new Dialer(clock, connect, (id) => this.#containers.find(id));
    this.#images = new Images(this.engine, clock, this.#closed.signal, imageMarks);
    this.#usage = new ContainerUsage(this.engine, clock, installation);
    this.#logs = new ContainerLogs(this.engine, logShelf, (id) => this.#containers.nameOf(id));
    this.#following = followEvents(this.engine, clock, installation, this.#closed.signal, {
      onConnect: () => this.#onConnect(),
      onEvent: (event) => this.#onEvent(event),
    });
  }

  onConnect(listener: () => Promise<void>): void {
    this.#connected = listener;
    if (this.#hasConnected) void listener().catch(() => {});
  }

  clearAway(): Promise<void> {
    return clearAway(this.engine, this.#options.installation);
  }

  list(): Promise<Sighting[]> {
    return this.#containers.list();
  }

  async logs(id: string, tail: number, since?: number): Promise<LogLine[]> {
    if (!(tail > 0) || !isWorkloadId(id)) return [];
    return this.#logs.last(id, tail, since);
  }

  async *follow(
    id: string,
    after: string | null,
    gone: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    if (isWorkloadId(id)) yield* this.#logs.follow(id, after, gone);
  }

  async exec(id: string, wish: ExecWish): Promise<Execution> {
    if (!isWorkloadId(id)) throw new ExecRefused("there is no such workload");
    const mark = `${id}-${++this.#execs}-${this.#options.clock.now()}`;
    return execIn(this.engine, this.#containers.nameOf(id), wish, mark);
  }

  usage(): Promise<Usage[]> {
    return this.#usage.look();
  }

  async quota(): Promise<Quota | null> {
    this.#limitsDisk ??= await canLimitDisk(this.engine, this.#options.installation);
    if (this.#limitsDisk === null) return null;
    return this.#limitsDisk ? "enforced" : "measured";
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload, tell: Tell = () => {}): Promise<void> {
    const { id } = workload;
    refuseIllegalId(id);
    await this.#turns.take(id, async () => {
      await this.#ends.get(id)?.done;
      const before = await this.#containers.find(id);
      if (before && isRunning(before.State.Status)) return;
      const image = await this.#image(workload, tell);
      this.#starting.add(id);
      try {
        if (before) await this.#makeWay(id, before.Id, before.State.Status);
        await this.#begin(workload, image);
      } finally {
        this.#starting.delete(id);
      }
    });
  }

  async #image(workload: Workload, tell: Tell): Promise<string> {
    const cut = new AbortController();
    this.#waiting.set(workload.id, cut);
    try {
      return await this.#images.ensure(workload, tell, cut.signal);
    } finally {
      this.#waiting.delete(workload.id);
    }
  }

  /** The file system of the last run goes with its container; what it printed is kept. */
  async #makeWay(id: string, container: string, status: string): Promise<void> {
    if (!neverRan(status)) await this.#logs.keep(id);
    await this.#containers.discard(container);
  }

  async #begin(workload: Workload, image: string): Promise<void> {
    const network = await this.networks.ensure(workload.account ?? "");
    const container = await this.#create(workload, image, network);
    try {
      await this.engine.ask((docker) => docker.getContainer(container).start());
    } catch (error) {
      await this.#containers.discard(container).catch(() => {});
      if (statusOf(error) === null) throw error;
      throw startRefused(image, wordsOf(error));
    }
    // Whoever asked for it hears of it first.
    setImmediate(() => this.#told.tell(workload.id, `${container} start`));
  }

  async #create(workload: Workload, image: string, network: string): Promise<string> {
    const { installation, publishOn } = this.#options;
    const quota = this.#limitsDisk ?? true;
    const around = { installation, publishOn, image, network, quota };
    const wanted = {
      name: this.#containers.nameOf(workload.id),
      ...containerFor(workload, around),
    };
    try {
      const { id } = await this.engine.ask((docker) => docker.createContainer(wanted));
      return id;
    } catch (error) {
      // Several may find it out at the same time.
      if (quota && isDiskLimitRefused(error)) {
        this.#limitsDisk = false;
        return this.#create(workload, image, network);
      }
      if (statusOf(error) === null) throw error;
      throw startRefused(image, wordsOf(error));
    }
  }

  async stop(id: string, graceMs: number): Promise<void> {
    if (!isWorkloadId(id)) return;
    const { clock } = this.#options;
    this.#waiting.get(id)?.abort();
    const end = await this.#turns.take(id, async () => {
      const under = this.#ends.get(id);
      if (under) return under;
      const container = await this.#containers.find(id);
      if (!container || !isRunning(container.State.Status)) return null;
      const begun = new ContainerEnd(this.engine, container.Id, clock, graceMs);
      this.#ends.set(id, begun);
      const over = () => {
        this.#ends.delete(id);
        this.#told.tell(id, `${container.Id} die`);
      };
      begun.done.then(over, () => this.#ends.delete(id));
      return begun;
    });
    end?.hurry(clock.now() + graceMs);
    await end?.done;
  }

  async wipe(id: string): Promise<void> {
    if (!isWorkloadId(id)) return;
    await this.#turns.take(id, async () => {
      const container = await this.#containers.findEnded(id);
      if (container) await this.#makeWay(id, container.Id, container.State.Status);
    });
  }

  async remove(id: string): Promise<void> {
    if (!isWorkloadId(id)) return;
    await this.#turns.take(id, async () => {
      const container = await this.#containers.findEnded(id);
      if (container) await this.#containers.discard(container.Id);
      await this.#logs.forget(id);
      this.#told.forget(id);
    });
  }

  async removeVolume(volume: VolumeName): Promise<void> {
    const name = volumeName(this.#options.installation, volume);
    await this.engine.ask((docker) => unlessMissing(docker.getVolume(name).remove()));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#listeners.clear();
    await this.#following;
  }

  /** What a start that was cut short has left behind never ran, and nobody waits for it. */
  async #onConnect(): Promise<void> {
    for (const { Id, State, Labels } of await this.#containers.all()) {
      if (!neverRan(State) || this.#starting.has(Labels[LABEL.workload] ?? "")) continue;
      await this.#containers.discard(Id).catch(() => {});
    }
    this.#hasConnected = true;
    await this.#connected();
  }

  #onEvent({ workload, container, action }: Event): void {
    this.#dialer.forget(workload);
    // It is told once the start is over.
    if (action === "start" && this.#starting.has(workload)) return;
    if (action === "destroy") this.#listeners.tell(workload);
    else this.#told.tell(workload, `${container} ${action}`);
  }
}
