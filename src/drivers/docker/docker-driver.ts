// The container driver: runs workloads as containers of an engine. Containers, volumes and networks
// carry labels, so they are found again after a restart of the service or the engine, and nothing else
// is touched. Container names are unique, so nothing is started twice.

import type { ContainerInspectInfo } from "dockerode";
import type { Clock } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { ChangeListeners, EventDeduplicator } from "../change-listeners.ts";
import { connectTo } from "../connection.ts";
import type {
  DiskQuota,
  Driver,
  ExecRequest,
  Execution,
  LogLine,
  Observation,
  StartReporter,
  Usage,
  VolumeName,
  Workload,
} from "../driver.ts";
import type { FabricEngine } from "../fabric-engine.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { PendingStarts } from "../pending-starts.ts";
import type { SharedEngine } from "../shared-engine.ts";
import { isWorkloadId, requireWorkloadId } from "../workload-id.ts";
import type { CdiOptions } from "./cdi-devices.ts";
import { type ContainerOwner, ownerFilter, volumeName } from "./container/container-spec.ts";
import { ContainerTermination } from "./container/container-termination.ts";
import { Containers } from "./container/containers.ts";
import { execIn } from "./container/exec.ts";
import { removeLabeled, sharedEngine } from "./container/installations.ts";
import { isRunning, neverRan } from "./container/observation.ts";
import { findOwnContainer, type OwnContainer } from "./container/own-container.ts";
import { ContainerUsage } from "./container/usage.ts";
import { VolumeFolders } from "./container/volume-folders.ts";
import { ContainerStarter } from "./container-start.ts";
import { Engine, unlessMissing } from "./engine.ts";
import type { EngineAddress } from "./engine-address.ts";
import { type Event, followEvents } from "./events.ts";
import { type ImageOptions, Images } from "./image/images.ts";
import type { LogPieceStore } from "./log/archived-logs.ts";
import { ContainerLogs } from "./log/container-logs.ts";
import { type Connect, Dialer } from "./network/dialer.ts";
import { Networks } from "./network/networks.ts";
import { Swarm } from "./network/swarm.ts";

export interface DockerDriverOptions extends EngineAddress, ImageOptions, CdiOptions {
  clock: Clock;
  owner: ContainerOwner;
  logPieces: LogPieceStore;
  /** The address of the engine's machine that published ports are bound to. */
  publishOn: string;
  /** Connects to containers; by default, this machine reaches their addresses itself. */
  connect?: Connect;
}

export interface DockerDriver extends Driver {
  readonly networks: Networks;
  readonly engine: Engine;
  /** Null if this process runs in no container of the engine. */
  ownContainer(): Promise<OwnContainer | null>;
  /** Called when the engine answers for the first time or again; at once if it has answered before. */
  onConnect(listener: () => Promise<void>): void;
  /** Removes everything of this owner from the engine, data included, for a machine that is removed. */
  removeOwn(): Promise<void>;
  readonly installations: SharedEngine;
  readonly fabric: FabricEngine;
}

/** Does not call the engine, which may be unavailable at this time. */
export function openDockerDriver(options: DockerDriverOptions): DockerDriver {
  return new ContainerDriver(options);
}

class ContainerDriver implements DockerDriver {
  readonly name = "docker";
  readonly survivesRestart = true;
  readonly publishesPorts = true;
  readonly dial = (id: string, port: number) => this.#dialer.dial(id, port);
  readonly networks: Networks;
  readonly engine: Engine;
  readonly installations: SharedEngine;
  readonly fabric: FabricEngine;
  readonly #options: DockerDriverOptions;
  readonly #containers: Containers;
  readonly #starter: ContainerStarter;
  readonly #images: Images;
  readonly #logs: ContainerLogs;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new ChangeListeners();
  readonly #closed = new AbortController();
  readonly #eventLoop: Promise<void>;
  readonly #terminations = new Map<string, ContainerTermination>();
  readonly #pending = new PendingStarts();
  readonly #dialer: Dialer;
  /** Workloads whose container may exist and is not started yet. */
  readonly #starting = new Set<string>();
  readonly #events = new EventDeduplicator(this.#listeners);
  readonly #usage: ContainerUsage;
  readonly #volumeFolders: VolumeFolders;
  #ownContainer: Promise<OwnContainer | null> | null = null;
  #execCount = 0;
  #hasConnected = false;
  readonly #connectListeners: (() => Promise<void>)[] = [];

  constructor(options: DockerDriverOptions) {
    const { clock, owner, logPieces } = options;
    const { connect = (address, port) => connectTo(address, port, clock) } = options;
    this.#options = options;
    this.engine = new Engine(options, clock);
    this.installations = sharedEngine(this.engine, owner.installation);
    this.fabric = new Swarm(this.engine, owner);
    this.#containers = new Containers(this.engine, owner, clock);
    this.networks = new Networks(this.engine, owner);
    this.#starter = new ContainerStarter({
      engine: this.engine,
      containers: this.#containers,
      networks: this.networks,
      owner,
      publishOn: options.publishOn,
      readCdiNames: options.readCdiNames,
      ownContainer: () => this.ownContainer(),
    });
    this.#dialer = new Dialer(clock, connect, (id) => this.#containers.find(id));
    this.#images = new Images(this.engine, clock, this.#closed.signal, options);
    this.#usage = new ContainerUsage(this.engine, clock, owner);
    this.#volumeFolders = new VolumeFolders(this.engine, owner);
    const nameOf = (id: string) => this.#containers.nameOf(id);
    this.#logs = new ContainerLogs(this.engine, clock, logPieces, nameOf);
    this.#eventLoop = followEvents(
      { engine: this.engine, clock, owner },
      { onConnect: () => this.#onConnect(), onEvent: (event) => this.#onEvent(event) },
      this.#closed.signal,
    );
  }

  ownContainer(): Promise<OwnContainer | null> {
    this.#ownContainer ??= findOwnContainer(this.engine).catch((error) => {
      this.#ownContainer = null;
      throw error;
    });
    return this.#ownContainer;
  }

  onConnect(listener: () => Promise<void>): void {
    this.#connectListeners.push(listener);
    if (this.#hasConnected) void listener().catch(() => {});
  }

  removeOwn(): Promise<void> {
    return removeLabeled(this.engine, ownerFilter(this.#options.owner), true);
  }

  list(): Promise<Observation[]> {
    return this.#containers.list();
  }

  async logs(id: string, tail: number, since?: number): Promise<LogLine[]> {
    if (!(tail > 0) || !isWorkloadId(id)) return [];
    return this.#logs.last(id, tail, since);
  }

  async *follow(
    id: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    if (isWorkloadId(id)) yield* this.#logs.follow(id, after, signal);
  }

  async exec(id: string, request: ExecRequest): Promise<Execution> {
    if (!isWorkloadId(id)) throw new ExecRefused("there is no such workload");
    const mark = `${id}-${++this.#execCount}-${this.#options.clock.now()}`;
    return execIn(this.engine, this.#containers.nameOf(id), request, mark);
  }

  usage(): Promise<Usage[]> {
    return this.#usage.read();
  }

  quota(): Promise<DiskQuota | null> {
    return this.#starter.quota();
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload, report: StartReporter = () => {}): Promise<void> {
    const { id } = workload;
    requireWorkloadId(id);
    await this.#pending.run(id, (stopped) =>
      this.#mutex.run(id, () => this.#start(workload, report, stopped)),
    );
  }

  async #start(workload: Workload, report: StartReporter, stopped: AbortSignal): Promise<void> {
    const { id } = workload;
    await this.#terminations.get(id)?.done;
    const previous = await this.#containers.find(id);
    if (previous && isRunning(previous.State.Status)) return;
    const image = await this.#images.ensure(workload, report, stopped);
    this.#starting.add(id);
    try {
      if (previous) await this.#discardContainer(id, previous);
      const container = await this.#starter.start(workload, image);
      // After the caller's continuation, so that the caller learns of it first.
      setImmediate(() => this.#events.notify(id, `${container} start`));
    } finally {
      this.#starting.delete(id);
    }
  }

  /** Removes the container with its disk, and archives its log. */
  async #discardContainer(id: string, { Id, State }: ContainerInspectInfo): Promise<void> {
    if (!neverRan(State)) await this.#logs.archive(id);
    await this.#containers.discard(Id);
  }

  async stop(id: string, graceMs: number): Promise<void> {
    if (!isWorkloadId(id)) return;
    const { clock } = this.#options;
    this.#pending.stop(id);
    const termination = await this.#mutex.run(id, async () => {
      const pending = this.#terminations.get(id);
      if (pending) return pending;
      const container = await this.#containers.find(id);
      if (!container || !isRunning(container.State.Status)) return null;
      const started = new ContainerTermination(this.engine, container.Id, clock, graceMs);
      this.#terminations.set(id, started);
      const onEnd = () => {
        this.#terminations.delete(id);
        this.#events.notify(id, `${container.Id} die`);
      };
      started.done.then(onEnd, () => this.#terminations.delete(id));
      return started;
    });
    termination?.advanceKill(clock.ticks() + graceMs);
    await termination?.done;
  }

  async wipe(id: string): Promise<void> {
    if (!isWorkloadId(id)) return;
    await this.#mutex.run(id, async () => {
      const container = await this.#containers.findEnded(id);
      if (container) await this.#discardContainer(id, container);
    });
  }

  async remove(id: string): Promise<void> {
    if (!isWorkloadId(id)) return;
    await this.#mutex.run(id, async () => {
      const container = await this.#containers.findEnded(id);
      if (container) await this.#containers.discard(container.Id);
      await this.#logs.forget(id);
      this.#events.forget(id);
    });
  }

  volumeFiles(volume: VolumeName, create: boolean) {
    return this.#volumeFolders.files(volume, create);
  }

  async removeVolume(volume: VolumeName): Promise<void> {
    this.#volumeFolders.forget(volume);
    const name = volumeName(this.#options.owner, volume);
    await this.engine.callWhileAlive((docker) => unlessMissing(docker.getVolume(name).remove()));
  }

  removeNetwork(id: string): Promise<void> {
    return this.networks.remove(id);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#listeners.clear();
    await this.#eventLoop;
  }

  async #onConnect(): Promise<void> {
    this.engine.forgetKind();
    this.#starter.forgetLimits();
    await this.#containers.removeLeftovers((id) => this.#starting.has(id));
    this.#hasConnected = true;
    await Promise.all(this.#connectListeners.map((listener) => listener()));
  }

  #onEvent({ workload, container, action }: Event): void {
    this.#dialer.forget(workload);
    // The start notifies when it is complete.
    if (action === "start" && this.#starting.has(workload)) return;
    if (action === "destroy") this.#listeners.notify(workload);
    else this.#events.notify(workload, `${container} ${action}`);
  }
}
