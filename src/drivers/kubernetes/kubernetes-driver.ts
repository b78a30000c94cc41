// The driver of one node of a Kubernetes cluster: a workload is a Pod that is bound to the node. A finalizer keeps a
// deleted Pod until its end has been observed. Pod names are unique, so nothing is started twice.

import type { Duplex } from "node:stream";
import { DAY_MS } from "../../base/units.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import type { AccountQuota } from "../../domain/machine/remote.ts";
import { ChangeListeners } from "../change-listeners.ts";
import type { LogPieceStore } from "../docker/log/archived-logs.ts";
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
import { KeyedMutex } from "../keyed-mutex.ts";
import { PendingStarts } from "../pending-starts.ts";
import { redactorOf } from "../redaction.ts";
import { isWorkloadId, requireWorkloadId } from "../workload-id.ts";
import { type NetworkVolumes, removeClaim } from "./claims.ts";
import { type KubernetesCluster, unless } from "./cluster.ts";
import { createWorkload, type NodeScope, prepareWorkload } from "./create-workload.ts";
import { machineDigest, type Owner, podName } from "./names.ts";
import { removeOwned } from "./owned-objects.ts";
import type { TargetNode } from "./pod/pod-object.ts";
import { CANNOT_RUN, type NodePod, REJECTED } from "./pod/pod-view.ts";
import { PodDialer } from "./pod-dialer.ts";
import { execMarked } from "./pod-exec.ts";
import { PodLogs } from "./pod-logs.ts";
import type { PublicPortsBy } from "./public-ports.ts";
import { deletionErrorOf, startErrorOf } from "./start-failure.ts";
import { untilStarted } from "./start-wait.ts";
import { NodeUsageReader } from "./usage.ts";

export interface KubernetesDriverOptions {
  cluster: KubernetesCluster;
  node: TargetNode;
  machine: string;
  logPieces: LogPieceStore;
  publicPorts?: PublicPortsBy;
  networkVolumes?: NetworkVolumes | null;
  accountQuota?: AccountQuota;
}

/** Longer than any grace period: a node that is down never reports an end. */
const END_MS = DAY_MS;
const DELETE_MS = 120_000;

export class KubernetesDriver implements Driver {
  readonly name = "kubernetes";
  readonly survivesRestart = true;
  readonly publishesPorts = true;
  readonly nodeUsage: NodeUsageReader;
  readonly #cluster: KubernetesCluster;
  readonly #node: TargetNode;
  readonly #owner: Owner;
  readonly #scope: NodeScope;
  readonly #machineLabel: string;
  readonly #logs: PodLogs;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new ChangeListeners();
  readonly #unsubscribe: () => void;
  readonly #stops = new Map<string, Promise<void>>();
  readonly #pending = new PendingStarts();
  readonly #dialer: PodDialer;
  #execCount = 0;

  constructor(options: KubernetesDriverOptions) {
    const { cluster, node, machine, logPieces } = options;
    const { publicPorts = "NodePort", networkVolumes = null, accountQuota = {} } = options;
    this.#cluster = cluster;
    this.#node = node;
    this.#owner = { installation: cluster.installation, machine };
    this.#scope = { cluster, owner: this.#owner, publicPorts, networkVolumes, accountQuota };
    this.#machineLabel = machineDigest(this.#owner);
    this.#logs = new PodLogs(cluster.client, logPieces, (id) => this.#pathOf(id));
    this.#dialer = new PodDialer(cluster);
    this.nodeUsage = new NodeUsageReader(cluster, node.name);
    this.#unsubscribe = cluster.onMachine(this.#machineLabel, (now, before) =>
      this.#onPod(now, before),
    );
  }

  async list(): Promise<Observation[]> {
    return (await this.#pods()).flatMap(({ observation }) =>
      observation ? [{ ...observation }] : [],
    );
  }

  async logs(id: string, tail: number, since?: number): Promise<LogLine[]> {
    return tail > 0 && isWorkloadId(id) ? this.#logs.last(id, tail, since) : [];
  }

  async *follow(id: string, after: string | null, signal: AbortSignal): AsyncGenerator<LogLine[]> {
    if (isWorkloadId(id)) yield* this.#logs.follow(id, after, signal);
  }

  async dial(id: string, port: number): Promise<Duplex> {
    const pod = this.#find(id);
    if (pod?.observation?.state !== "running") throw new NotReached("not_running");
    return this.#dialer.dial(pod.uid, pathOf(pod), port);
  }

  async exec(id: string, request: ExecRequest): Promise<Execution> {
    const pod = this.#find(id);
    if (pod?.observation?.state !== "running")
      throw new ExecRefused("its container is not running");
    const mark = `${id}-${++this.#execCount}-${this.#cluster.clock.now()}.`;
    return execMarked(this.#cluster, pathOf(pod), request, mark);
  }

  async usage(): Promise<Usage[]> {
    const running = (await this.#pods()).filter(
      ({ observation }) => observation?.state === "running",
    );
    return this.nodeUsage.read(running);
  }

  async quota(): Promise<DiskQuota | null> {
    return "measured";
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload, report: StartReporter = () => {}): Promise<void> {
    const { id } = workload;
    requireWorkloadId(id);
    const prepared = prepareWorkload(workload, this.#owner, this.#node);
    const redact = redactorOf(workload.secrets ?? []);
    const start = async (stopped: AbortSignal) => {
      await this.#stops.get(id);
      await this.#pods();
      const previous = this.#find(id);
      if (previous?.observation?.state === "running") return;
      if (previous && isOver(previous)) await this.#discard(previous, true);
      try {
        if (!stopped.aborted) await createWorkload(this.#scope, prepared, report, stopped);
        const starting = {
          cluster: this.#cluster,
          find: () => this.#find(id),
          someEnd: () => this.#someEnd(),
          discard: (pod: NodePod) => this.#discard(pod, false),
        };
        await untilStarted(starting, workload, report, stopped);
      } catch (error) {
        throw startErrorOf(error, redact);
      }
    };
    await this.#pending.run(id, (stopped) => this.#mutex.run(id, () => start(stopped)));
  }

  async stop(id: string, graceMs: number): Promise<void> {
    if (!isWorkloadId(id)) return;
    this.#pending.stop(id);
    const stop = await this.#mutex.run(id, async () => {
      await this.#pods();
      const pod = this.#find(id);
      const pending = this.#stops.get(id);
      if (pending || pod?.observation?.state !== "running") return { done: pending };
      const done = this.#end(id, pod, graceMs).finally(() => this.#stops.delete(id));
      this.#stops.set(id, done);
      done.catch(() => {});
      return { done };
    });
    await stop.done;
  }

  async wipe(id: string): Promise<void> {
    await this.#mutex.run(id, async () => {
      const pod = await this.#findEnded(id);
      if (pod) await this.#discard(pod, true);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#mutex.run(id, async () => {
      const pod = await this.#findEnded(id);
      if (pod) await this.#discard(pod, false);
      if (isWorkloadId(id)) await this.#logs.forget(id);
    });
  }

  async removeVolume(volume: VolumeName): Promise<void> {
    await removeClaim(this.#cluster, this.#owner, volume);
  }

  /** A start in a network is refused, so there are none. */
  async removeNetwork(): Promise<void> {}

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#listeners.clear();
    this.#pending.stopAll();
  }

  /** Kubernetes counts grace periods in whole seconds. Its log ends with its container, and is archived then: the kubelet removes it with the Pod. */
  async #end(id: string, pod: NodePod, graceMs: number): Promise<void> {
    const gracePeriodSeconds = Math.max(1, Math.ceil(graceMs / 1_000));
    const archived = this.#logs.archive(id);
    archived.catch(() => {});
    const preconditions = { uid: pod.uid };
    const deletion = this.#cluster.client.delete(pathOf(pod), {
      gracePeriodSeconds,
      preconditions,
    });
    await unless(deletion, 404, 409).catch((error) => {
      throw deletionErrorOf(error);
    });
    await this.#cluster.until(() => this.#find(id)?.observation?.state !== "running", END_MS);
    await archived;
  }

  /** Removes an ended or unstarted Pod, and waits until it is gone. */
  async #discard(pod: NodePod, keepsLog: boolean): Promise<void> {
    if (keepsLog) await this.#logs.archive(pod.workload);
    await this.#delete(pod).catch((error) => {
      throw deletionErrorOf(error);
    });
    const isGone = () => this.#cluster.find(pod.namespace, pod.name)?.uid !== pod.uid;
    if (await this.#cluster.until(isGone, DELETE_MS)) return;
    throw new Error(`The Pod ${pod.name} is not deleted within ${DELETE_MS / 1_000} s.`);
  }

  async #delete(pod: NodePod): Promise<void> {
    const { client } = this.#cluster;
    await unless(client.patch(pathOf(pod), { metadata: { finalizers: null } }), 404);
    await unless(client.delete(pathOf(pod), { preconditions: { uid: pod.uid } }), 404, 409);
    await removeOwned(this.#cluster, pod);
  }

  /** Whether a Pod that Freehold ends still has its room on the node. */
  #someEnd(): boolean {
    const pods = this.#cluster.onMachineNow(this.#machineLabel);
    return pods.some(({ isDeleted, observation }) => isDeleted && observation?.state !== "ended");
  }

  async #pods(): Promise<NodePod[]> {
    return this.#cluster.podsOn(this.#machineLabel);
  }

  /** A workload's account is known from its Pod only. */
  #find(id: string): NodePod | undefined {
    return this.#cluster.findNamed(podName(this.#owner, id));
  }

  async #findEnded(id: string): Promise<NodePod | undefined> {
    if (!isWorkloadId(id)) return undefined;
    await this.#pods();
    const pod = this.#find(id);
    if (pod?.observation?.state !== "running") return pod;
    throw new Error(`Workload ${id} is running: stop it before you remove it.`);
  }

  #pathOf(id: string): string | null {
    const pod = this.#find(id);
    return pod ? pathOf(pod) : null;
  }

  #onPod(now: NodePod | null, before: NodePod | null): void {
    const { workload } = (now ?? before)!;
    // Also where another deletes it: the kubelet removes the log with the container, before its end is seen here.
    if (now?.isDeleted && now.observation?.state === "running")
      this.#logs.archive(workload).catch(() => {}); // tried again when the Pod is discarded
    const stateOf = (view: NodePod | null) => view?.observation?.state ?? null;
    const from = before?.uid === now?.uid ? stateOf(before) : null;
    const to = stateOf(now);
    if (to !== from && !(to === null && from === "ended")) this.#listeners.notify(workload);
  }
}

/** It will not run (again). */
const isOver = ({ observation, waiting, isDeleted }: NodePod) =>
  observation !== null || isDeleted || NEVER_RUNS.has(waiting?.reason ?? "");

const NEVER_RUNS = new Set([CANNOT_RUN, REJECTED]);

const pathOf = ({ namespace, name }: NodePod) => `/api/v1/namespaces/${namespace}/pods/${name}`;
