// Notifications by topic. A notification is a hint: it may be lost or come without a change. It is sent after a
// commit, and its listener reads the store again, unless the payload holds what it would read. Only listeners
// that wait for a job are notified before the commit, so that their claims share it; they find the job by a write,
// and not yet by a read.

import type { Clock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import type { Kind } from "../../domain/kind.ts";
import type { Tracer } from "../../domain/trace/span.ts";

/** All topics, so that the two ends of a notification cannot differ. */
export const topic = {
  queue: (endpointId: string) => `queue:${endpointId}`,
  job: (jobId: string) => `${JOB}${jobId}`,
  /** A worker has jobs to stop, or may claim no more jobs. */
  worker: (workerId: string) => `worker:${workerId}`,
  /** The health of a worker of a load-balancing endpoint changed, or that it may take requests. */
  serving: "serving",
  /** An input of autoscaling changed. */
  fleet: "fleet",
  /** The workloads that machines should run changed. */
  workloads: "workloads",
  deliveries: "deliveries",
  /** An event waits for a message of its rule. */
  notifications: "notifications",
  /** A message was made, or its delivery was tried. */
  notification: (id: string) => `notification:${id}`,
  /** A job is delayed. */
  delays: "delays",
  /** An operation on all jobs that match a filter was started. */
  jobOperations: "job_operations",
  /** A batch was created, moved on, or one of its jobs ended. */
  batches: "batches",
  /** A person signed in with the provider, which is asked again later. */
  signIns: "sign_ins",
  /** A schedule was created, changed or deleted. */
  schedules: "schedules",
  /** The operator requested the removal of what another installation has on a machine. */
  removals: "removals",
  /** A Pod was created, or its desired or observed state changed. */
  pods: "pods",
  /** A request for a Pod entered or left the line, or a quota changed. */
  queuedPods: "queued_pods",
  /** A reservation was made, changed or cancelled. */
  reservations: "reservations",
  /** A sandbox was created, used, changed or ended. */
  sandboxes: "sandboxes",
  /** A change of one Pod, for connections to it. */
  pod: (podId: string) => `pod:${podId}`,
  /** The credits of an account changed, other than by usage. */
  balance: "balance",
  /** The operator changed a price. */
  prices: "prices",
  /** A fault for tests was switched. */
  troubles: "troubles",
  /** The GPU driver of a machine logged something, or the log ended. */
  kernelLog: (machine: string) => `kernel_log:${machine}`,
  gpuTests: (machine: string) => `gpu_tests:${machine}`,
  migLayouts: (machine: string) => `mig_layouts:${machine}`,
  /** The GPUs of a machine should be read again. */
  gpus: (machine: string) => `gpus:${machine}`,
  /** The manager of a fabric changed. */
  fabrics: "fabrics",
  /** A workload has a new system log line. */
  log: (workloadId: string) => `log:${workloadId}`,
  /** Lines of an endpoint's jobs were stored. */
  jobLogs: (endpointId: string) => `job_logs:${endpointId}`,
  /** A replica released its leaderships. */
  leaderships: "leaderships",
  /** An endpoint, key or worker was created or changed: cached copies are stale. */
  authCache: "auth_cache",
  /** A resource that the console shows changed. */
  changed: (accountId: string, kind: Kind, id: string) => `${CHANGED}${accountId}:${kind}:${id}`,
  /** A change of a worker, or of the jobs of an endpoint. The listener looks up the account. */
  changedWithin: (kind: "job" | "worker", id: string) => `${CHANGED}?:${kind}:${id}`,
};

/** Stands for all accounts. */
export const ALL_ACCOUNTS = "*";
const CHANGED = "changed:";
const JOB = "job:";

export interface Change {
  kind: Kind;
  /** ALL_ACCOUNTS if all accounts see it; null if the account has to be looked up by `id`. */
  accountId: string | null;
  /** For a job, the id of its endpoint. */
  id: string;
}

/** The change that a topic stands for, if it does. */
function changeOf(topic: string): Change | null {
  if (!topic.startsWith(CHANGED)) return null;
  const [accountId = "", kind, id = ""] = topic.slice(CHANGED.length).split(":");
  return { kind: kind as Kind, accountId: accountId === "?" ? null : accountId, id };
}

/** Subscribe before you query, so that no notification is lost in between. Call `close` in the end. */
export interface Subscription {
  /** True if there was a notification since the subscription or the last `wait` that returned true. */
  readonly signalled: boolean;
  /** The payload of the last notification, as of its commit. */
  readonly payload: unknown;
  /** Resolves to true on a notification, at once if there was one; false after `timeoutMs` or on abort. */
  wait(clock: Clock, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): void;
}

export interface Listener {
  changed(change: Change): void;
  /** Some changes were lost. */
  missed(): void;
}

export class Notifier {
  #subscriptions = new Map<string, Set<TopicSubscription>>();
  #listeners = new Set<Listener>();
  #jobListeners = new Set<(jobId: string) => void>();

  /**
   * Sends a notification to the other replicas, with the number of listeners to notify or null for all. It is null
   * without other replicas.
   */
  elsewhere: ((topic: string, count: number | null) => void) | null = null;

  /** Records the spans that commits end; null while tracing is off. */
  tracer: Tracer | null = null;

  /** Notifies all local listeners of the topic. */
  notify(topic: string, payload?: unknown): void {
    const subscriptions = this.#subscriptions.get(topic);
    if (subscriptions) for (const subscription of [...subscriptions]) subscription.fire(payload);
    if (this.#jobListeners.size > 0 && topic.startsWith(JOB))
      for (const listener of [...this.#jobListeners]) listener(topic.slice(JOB.length));
    if (this.#listeners.size === 0) return;
    const change = changeOf(topic);
    if (change) for (const listener of [...this.#listeners]) listener.changed(change);
  }

  /** Notifications of other replicas were lost: every listener must read the store again. */
  missed(): void {
    for (const topic of this.topics()) this.notify(topic);
    for (const listener of [...this.#listeners]) listener.missed();
  }

  /** Reports every change until the returned function is called. */
  hear(listener: Listener): () => void {
    const heard = {
      changed: guarded("a change", (change: Change) => listener.changed(change)),
      missed: guarded("a change", () => listener.missed()),
    };
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  /** Notifies all listeners of the topic, on other replicas too. */
  notifyEverywhere(topic: string, payload?: unknown): void {
    this.notify(topic, payload);
    this.elsewhere?.(topic, null);
  }

  /** Reports every job that ended or changed otherwise, until the returned function is called. */
  onJobs(listener: (jobId: string) => void): () => void {
    const heard = guarded("a change of a job", listener);
    this.#jobListeners.add(heard);
    return () => this.#jobListeners.delete(heard);
  }

  /**
   * Notifies `count` listeners, those that have waited longest first. If there are fewer here, it passes the rest
   * to the other replicas.
   */
  notifySome(topic: string, count: number): void {
    const left = count - this.notifySomeHere(topic, count);
    if (left > 0) this.elsewhere?.(topic, left);
  }

  /** Notifies so many listeners on this replica alone; returns how many it notified. */
  notifySomeHere(topic: string, count: number): number {
    let notified = 0;
    for (const subscription of this.#subscriptions.get(topic) ?? []) {
      if (notified === count) break;
      if (subscription.signalled) continue;
      subscription.fire();
      notified++;
    }
    return notified;
  }

  /** True if the topic has a local listener. */
  awaited(topic: string): boolean {
    return this.#subscriptions.has(topic);
  }

  /** The topics with local listeners. */
  topics(): string[] {
    return [...this.#subscriptions.keys()];
  }

  subscribe(...topics: string[]): Subscription {
    const subscription = new TopicSubscription(() => {
      for (const topic of topics) {
        const subscriptions = this.#subscriptions.get(topic);
        subscriptions?.delete(subscription);
        if (subscriptions?.size === 0) this.#subscriptions.delete(topic);
      }
    });
    for (const topic of topics) {
      const subscriptions = this.#subscriptions.get(topic);
      if (subscriptions) subscriptions.add(subscription);
      else this.#subscriptions.set(topic, new Set([subscription]));
    }
    return subscription;
  }

  /** Calls back on every notification until the returned function is called. */
  on(topic: string, listener: () => void): () => void {
    return this.onAny([topic], listener);
  }

  onAny(topics: readonly string[], listener: () => void): () => void {
    const subscription = this.subscribe(...topics) as TopicSubscription;
    const heard = guarded("a notification", listener);
    subscription.onSignal = () => {
      subscription.signalled = false;
      heard();
    };
    return () => subscription.close();
  }
}

class TopicSubscription implements Subscription {
  signalled = false;
  payload: unknown;
  onSignal: (() => void) | null = null;
  readonly close: () => void;

  constructor(close: () => void) {
    this.close = close;
  }

  fire(payload?: unknown): void {
    this.signalled = true;
    this.payload = payload;
    this.onSignal?.();
  }

  wait(clock: Clock, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.signalled) {
      this.signalled = false;
      return Promise.resolve(true);
    }
    if (signal?.aborted || timeoutMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (notified: boolean) => {
        this.onSignal = null;
        this.signalled = false;
        cancel();
        signal?.removeEventListener("abort", aborted);
        resolve(notified);
      };
      const aborted = () => end(false);
      this.onSignal = () => end(true);
      const cancel = clock.after(timeoutMs, aborted);
      signal?.addEventListener("abort", aborted, { once: true });
    });
  }
}
