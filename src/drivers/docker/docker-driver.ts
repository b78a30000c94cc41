// The container driver: runs workloads as containers of an engine. Containers, volumes and networks
// carry labels, so they are found again after a restart of the service or the engine, and nothing else
// is touched. Container names are unique, so nothing is started twice.

import type { ContainerInspectInfo } from "dockerode";
import type { Clock } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { ChangeListeners, EventDeduplicator } from "../change-listeners.ts";
import { connectTo } from "../connection.ts";
import {
  type DiskQuota,
  type Driver,
  type ExecRequest,
  type Execution,
  type LogLine,
  type NetworkMembership,
  type Observation,
  StartRefused,
  type StartReporter,
  type Usage,
  type VolumeName,
  type Workload,
} from "../driver.ts";
import type { FabricEngine } from "../fabric-engine.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { PendingStarts } from "../pending-starts.ts";
import { redactorOf } from "../redaction.ts";
import type { SharedEngine } from "../shared-engine.ts";
import { isWorkloadId, requireWorkloadId } from "../workload-id.ts";
import { type CdiOptions, specOn } from "./cdi-devices.ts";
import { type ContainerOwner, ownerFilter, volumeName } from "./container/container-spec.ts";
import { ContainerTermination } from "./container/container-termination.ts";
import { Containers } from "./container/containers.ts";
import { cpuCountIn } from "./container/cpu-limit.ts";
import { createChecked } from "./container/create.ts";
import { execIn } from "./container/exec.ts";
import { putFiles } from "./container/files.ts";
import { removeLabeled, sharedEngine } from "./container/installations.ts";
import { isRunning, neverRan } from "./container/observation.ts";
import { findOwnContainer, type OwnContainer } from "./container/own-container.ts";
import { canLimitDisk, isDiskLimitRefused } from "./container/quota.ts";
import { ContainerUsage } from "./container/usage.ts";
import { VolumeFolders } from "./container/volume-folders.ts";
import { openNewVolumes } from "./container/volume-permissions.ts";
import { Engine, messageOf, statusOf, unlessMissing } from "./engine.ts";
import type { EngineAddress } from "./engine-address.ts";
import { startError } from "./engine-error.ts";
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
  /** Whether the engine can limit a container's disk; null until it is tested, and after it connected again. */
  #canLimitDisk: boolean | null = null;
  /** Learned from the engine's refusal of a larger limit, as a machine may be declared larger than it is. */
  #cpuCount: number | null = null;

  constructor(options: DockerDriverOptions) {
    const { clock, owner, logPieces } = options;
    const { connect = (address, port) => connectTo(address, port, clock) } = options;
    this.#options = options;
    this.engine = new Engine(options, clock);
    this.installations = sharedEngine(this.engine, owner.installation);
    this.fabric = new Swarm(this.engine, owner);
    this.#containers = new Containers(this.engine, owner, clock);
    this.networks = new Networks(this.engine, owner);
    this.#dialer = new Dialer(clock, connect, (id) => this.#containers.find(id));
    this.#images = new Images(this.engine, clock, this.#closed.signal, options);
    this.#usage = new ContainerUsage(this.engine, clock, owner);
    this.#volumeFolders = new VolumeFolders(this.engine, clock, owner);
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

  async quota(): Promise<DiskQuota | null> {
    this.#canLimitDisk ??= await canLimitDisk(this.engine, this.#options.owner);
    if (this.#canLimitDisk === null) return null;
    return this.#canLimitDisk ? "enforced" : "measured";
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
      await this.#begin(workload, image);
    } finally {
      this.#starting.delete(id);
    }
  }

  /** Removes the container with its disk, and archives its log. */
  async #discardContainer(id: string, { Id, State }: ContainerInspectInfo): Promise<void> {
    if (!neverRan(State)) await this.#logs.archive(id);
    await this.#containers.discard(Id);
  }

  async #begin(workload: Workload, image: string): Promise<void> {
    const network = await this.networks.ensure(workload.account ?? "");
    const container = await this.#create(workload, image, network);
    if (workload.network) await this.#join(container, workload.network);
    try {
      const mountPaths = (workload.volumes ?? []).map(({ mountPath }) => mountPath);
      await openNewVolumes(this.engine, container, mountPaths);
      if (workload.files) await putFiles(this.engine, container, workload.files);
      await this.engine.callWhileAlive((docker) => docker.getContainer(container).start());
    } catch (error) {
      await this.#containers.discard(container).catch(() => {});
      if (statusOf(error) === null) throw error;
      if (workload.network?.fabric !== undefined && isNotAttached(error)) {
        throw new Error(`cannot join the network of its cluster yet: ${messageOf(error)}`);
      }
      throw startErrorOf(workload, image, error);
    }
    // After the caller's continuation, so that the caller learns of it first.
    setImmediate(() => this.#events.notify(workload.id, `${container} start`));
  }

  /** Whatever fails here may succeed later, so that the start is tried again. */
  async #join(container: string, network: NetworkMembership): Promise<void> {
    try {
      await this.networks.join(container, network);
    } catch (error) {
      await this.#containers.discard(container).catch(() => {});
      if (statusOf(error) === null) throw error;
      throw new Error(`cannot join the network of its cluster: ${messageOf(error)}`);
    }
  }

  /** The engine mounts folders of its machine. */
  async #withMachinePaths(workload: Workload): Promise<Workload> {
    const own = workload.folders ? await this.ownContainer() : null;
    if (!own) return workload;
    const folders = workload.folders!.map(({ folder, mountPath }) => {
      const path = own.machinePathOf(folder);
      if (path !== null) return { folder: path, mountPath };
      throw new StartRefused(`${folder} is on no volume of Freehold's container; mount one there`);
    });
    return { ...workload, folders };
  }

  async #create(workload: Workload, image: string, network: string): Promise<string> {
    const limitDisk = this.#canLimitDisk ?? true;
    const limits = { canLimitDisk: limitDisk, cpuCount: this.#cpuCount };
    const context = { ...this.#options, image, network, ...limits };
    const options = {
      name: this.#containers.nameOf(workload.id),
      ...(await specOn(this.engine, await this.#withMachinePaths(workload), context)),
    };
    try {
      return await createChecked(this.engine, options);
    } catch (error) {
      // Several starts may find this out at the same time.
      if (limitDisk && isDiskLimitRefused(error)) {
        this.#canLimitDisk = false;
        return this.#create(workload, image, network);
      }
      const cpuCount = cpuCountIn(error);
      if (cpuCount !== null && this.#cpuCount !== cpuCount) {
        this.#cpuCount = cpuCount;
        return this.#create(workload, image, network);
      }
      if (statusOf(error) === null) throw error;
      throw startErrorOf(workload, image, error);
    }
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
    // The engine may have restarted, on a larger machine or with another storage.
    this.engine.forgetKind();
    this.#cpuCount = null;
    this.#canLimitDisk = null;
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

/** Another engine may not have created the network yet, or may not answer; the start is tried again. */
const isNotAttached = (error: unknown) =>
  /network .*not found|attach\w* to network|swarm/i.test(messageOf(error));

function startErrorOf({ secrets = [] }: Workload, image: string, error: unknown) {
  return startError(image, messageOf(error), redactorOf(secrets), statusOf(error));
}
