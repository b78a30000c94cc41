// Wake-ups by topic. A wake-up is a hint that may be lost or come for nothing; it is sent after a
// commit, and whoever hears it looks at the store again, unless the ring told what he would find
// there. Only who waits for a job may hear of it before the commit, so that his claim shares it: he
// finds it by a write, and not yet by a read.

import type { Clock } from "../base/clock.ts";
import type { Kind } from "../domain/kind.ts";

/** Topics in use, in one place so that nobody rings a bell that nobody hears. */
export const topic = {
  queue: (endpointId: string) => `queue:${endpointId}`,
  job: (jobId: string) => `job:${jobId}`,
  /** A worker's standing changed: jobs to stop, or no more jobs for it. */
  worker: (workerId: string) => `worker:${workerId}`,
  /** Something that decides how many workers an endpoint should have. */
  fleet: "fleet",
  /** What machines should run has changed. */
  workloads: "workloads",
  deliveries: "deliveries",
  /** A Pod was made, moved or seen: its deadlines and whoever waits for it. */
  pods: "pods",
  /** The same of one Pod: whoever has connections to it. */
  pod: (podId: string) => `pod:${podId}`,
  /** An account was given credits, or lost some. */
  balance: "balance",
  /** The operator has changed a price. */
  prices: "prices",
  /** The service has something to say about a workload. */
  log: (workloadId: string) => `log:${workloadId}`,
  /** A replica has let go of what it did for all. */
  duties: "duties",
  /** An endpoint, key or worker was made or changed: cached copies are stale. */
  directory: "directory",
  /** Something that people look at is not as it was. */
  changed: (accountId: string, kind: Kind, id: string) => `${CHANGED}${accountId}:${kind}:${id}`,
  /** The same of a worker, or of the jobs of an endpoint: whose they are, the listener finds out. */
  changedWithin: (kind: "job" | "worker", id: string) => `${CHANGED}?:${kind}:${id}`,
};

/** In the place of an account: what all of them see. */
export const EVERYBODY = "*";
const CHANGED = "changed:";

export interface Change {
  kind: Kind;
  /** EVERYBODY where all see it; null where only `id` tells whose it is. */
  accountId: string | null;
  /** Of a job: its endpoint's. */
  id: string;
}

/** What a topic says of a change; null where it is about something else. */
export function changeOf(topic: string): Change | null {
  if (!topic.startsWith(CHANGED)) return null;
  const [accountId = "", kind, id = ""] = topic.slice(CHANGED.length).split(":");
  return { kind: kind as Kind, accountId: accountId === "?" ? null : accountId, id };
}

/**
 * Someone who waits for a topic. It is hung up before the store is asked, so that what happens
 * between the question and the wait is not missed; it must be taken down with `close`.
 */
export interface Bell {
  /** True once it was rung since it was hung up or since the last `wait` returned true. */
  readonly rung: boolean;
  /** What the last ring told, as it was committed then; undefined where it told nothing. */
  readonly news: unknown;
  /** Resolves to true when it rings, at once if it has; false after `timeoutMs` or on abort. */
  wait(clock: Clock, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): void;
}

export interface Hearer {
  changed(change: Change): void;
  /** Some were not heard. */
  missed(): void;
}

export class Wakes {
  #bells = new Map<string, Set<HungBell>>();
  #hearers = new Set<Hearer>();

  /**
   * Tells the other replicas of a ring: how many it should wake, or null for everybody. Null itself
   * where there are no others.
   */
  elsewhere: ((topic: string, count: number | null) => void) | null = null;

  /** Wakes everybody here who waits for the topic. */
  ring(topic: string, news?: unknown): void {
    const bells = this.#bells.get(topic);
    if (bells) for (const bell of [...bells]) bell.strike(news);
    if (this.#hearers.size === 0) return;
    const change = changeOf(topic);
    if (change) for (const hearer of [...this.#hearers]) hearer.changed(change);
  }

  /** Rings that others sent were lost: whoever listens must look at everything again. */
  missed(): void {
    for (const topic of this.topics()) this.ring(topic);
    for (const hearer of [...this.#hearers]) hearer.missed();
  }

  /** Tells of every change until told to stop. */
  hear(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }

  /** Wakes everybody who waits for the topic, on other replicas too. */
  ringEverywhere(topic: string, news?: unknown): void {
    this.ring(topic, news);
    this.elsewhere?.(topic, null);
  }

  /**
   * Wakes as many as there is work for, whoever has waited longest first. What nobody here was
   * waiting for is told to the other replicas.
   */
  ringSome(topic: string, count: number): void {
    const left = count - this.ringSomeHere(topic, count);
    if (left > 0) this.elsewhere?.(topic, left);
  }

  /** The same, but tells nobody else; returns how many it woke. */
  ringSomeHere(topic: string, count: number): number {
    let rung = 0;
    for (const bell of this.#bells.get(topic) ?? []) {
      if (rung === count) break;
      if (bell.rung) continue;
      bell.strike();
      rung++;
    }
    return rung;
  }

  /** True where somebody here waits for the topic. */
  awaited(topic: string): boolean {
    return this.#bells.has(topic);
  }

  /** The topics that somebody here waits for. */
  topics(): string[] {
    return [...this.#bells.keys()];
  }

  hang(...topics: string[]): Bell {
    const bell = new HungBell(() => {
      for (const topic of topics) {
        const bells = this.#bells.get(topic);
        bells?.delete(bell);
        if (bells?.size === 0) this.#bells.delete(topic);
      }
    });
    for (const topic of topics) {
      const bells = this.#bells.get(topic);
      if (bells) bells.add(bell);
      else this.#bells.set(topic, new Set([bell]));
    }
    return bell;
  }

  /** Calls back on every ring until told to stop. */
  on(topic: string, listener: () => void): () => void {
    const bell = this.hang(topic) as HungBell;
    bell.struck = () => {
      bell.rung = false;
      listener();
    };
    return () => bell.close();
  }
}

class HungBell implements Bell {
  rung = false;
  news: unknown;
  struck: (() => void) | null = null;
  readonly close: () => void;

  constructor(takeDown: () => void) {
    this.close = takeDown;
  }

  strike(news?: unknown): void {
    this.rung = true;
    this.news = news;
    this.struck?.();
  }

  wait(clock: Clock, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.rung) {
      this.rung = false;
      return Promise.resolve(true);
    }
    if (signal?.aborted || timeoutMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (rang: boolean) => {
        this.struck = null;
        this.rung = false;
        cancel();
        signal?.removeEventListener("abort", aborted);
        resolve(rang);
      };
      const aborted = () => end(false);
      this.struck = () => end(true);
      const cancel = clock.after(timeoutMs, aborted);
      signal?.addEventListener("abort", aborted, { once: true });
    });
  }
}
