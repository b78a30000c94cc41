// A worker polls for jobs. The poll is held until there is one, the hold is over, or the worker is about
// to end; a job is never handed to a poll whose socket has closed.

import { type Clock, Deadline, routineOf } from "../../base/clock.ts";
import type { ClaimedJob } from "../../domain/job/job.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type Notifier, type Subscription, topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import type { NoJobReason } from "../../store/worker/worker.ts";
import { noJobReason } from "../../store/worker/worker.ts";
import { claimJobs } from "../../transactions/job/claim.ts";
import { releaseClaim, releaseClaimAt } from "../../transactions/job/requeue.ts";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";
import {
  isStoreUnavailable,
  RETRY_MS,
  type RetryDeadline,
  retryWhileUnavailable,
} from "../store-unavailable.ts";

export interface TakeDeps {
  store: Store;
  clock: Clock;
  protocol: Protocol;
  metrics: Pick<ProcessMetrics, "recordDispatch">;
}

/** The polling request. Most polls are answered at once; only the others need a signal. */
export interface Poll {
  /** True once the socket has closed or the service is stopping. */
  readonly isClosed: boolean;
  /** Aborts when that happens. */
  signal(): AbortSignal;
}

/** Resolves to the claimed jobs, or to none once the hold is over. */
export async function take(
  deps: TakeDeps,
  worker: { id: string; endpointId: string },
  limit: number,
  poll: Poll,
): Promise<ClaimedJob[]> {
  const { store, clock, protocol, metrics } = deps;
  const [since, sinceTicks] = [clock.now(), clock.ticks()];
  const { endpointId, id } = worker;
  // Subscribe before the query, so that no notification is lost in between.
  const line = new Line(store.notifier, endpointId, id);
  const claims = new Claims(deps, id);
  try {
    for (;;) {
      const claim = await claims.claim(endpointId, limit);
      if (claim !== "store_unavailable") line.useWakeUp();
      if (typeof claim !== "string") {
        const now = clock.now();
        for (const { queuedAt } of claim) metrics.recordDispatch(now - Math.max(queuedAt, since));
        return await handOver(deps, id, claim, poll);
      }
      if (claim === "not_taking" || claim === "ending") line.leave();
      const signal = poll.signal();
      const leftMs = sinceTicks + holdOf(protocol, claim) - clock.ticks();
      if (signal.aborted || leftMs <= 0) return [];
      const waitMs = claim === "store_unavailable" ? Math.min(leftMs, RETRY_MS.longest) : leftMs;
      await line.wait(routineOf(clock), waitMs, signal);
      if (signal.aborted) return [];
    }
  } finally {
    claims.close();
    line.close();
  }
}

/**
 * The claims of one poll. A claim whose answer was lost may have been committed: its jobs are requeued
 * before the next claim, or they would wait for their lease to run out.
 */
class Claims {
  readonly #deps: TakeDeps;
  readonly #workerId: string;
  #unconfirmedAt: number | null = null;

  constructor(deps: TakeDeps, workerId: string) {
    this.#deps = deps;
    this.#workerId = workerId;
  }

  async claim(
    endpointId: string,
    limit: number,
  ): Promise<ClaimedJob[] | NoJobReason | "store_unavailable"> {
    const { store, clock, protocol } = this.#deps;
    const now = clock.now();
    try {
      if (this.#unconfirmedAt !== null) await this.#requeue(this.#unconfirmedAt);
      this.#unconfirmedAt = now;
      const { leaseMs } = protocol;
      const worker = { endpointId, workerId: this.#workerId };
      const jobs = await store.write(claimJobs, worker, limit, now, leaseMs);
      this.#unconfirmedAt = null;
      // Apart from the claim, whose batch would take another round trip to the database for it.
      return jobs.length > 0 ? jobs : await store.read(noJobReason, this.#workerId);
    } catch (error) {
      if (isStoreUnavailable(error)) return "store_unavailable";
      this.#unconfirmedAt = null;
      throw error;
    }
  }

  close(): void {
    const takenAt = this.#unconfirmedAt;
    if (takenAt === null) return;
    // In the background; if the store stays unavailable, the lease runs out.
    const requeue = () => this.#requeue(takenAt);
    void retryWhileUnavailable(leaseDeadline(this.#deps), requeue).catch(() => {});
  }

  #requeue(takenAt: number): Promise<void> {
    const { store, clock } = this.#deps;
    return store.write(releaseClaimAt, this.#workerId, takenAt, clock.now());
  }
}

const never = new AbortController().signal;

/** Until the lease of a job claimed now has run out. */
function leaseDeadline({ clock, protocol }: TakeDeps): RetryDeadline {
  return { deadline: new Deadline(clock, protocol.leaseMs), signal: () => never };
}

/**
 * A poll's place in the line for an endpoint's jobs. One wake-up per job goes to the poll that has
 * waited longest; a poll that does not use its wake-up passes it on, or the job would stay unclaimed.
 */
class Line {
  readonly #notifier: Notifier;
  readonly #queue: string;
  readonly #worker: string;
  #subscription: Subscription;
  #hasWakeUp = false;
  #inLine = true;

  constructor(notifier: Notifier, endpointId: string, workerId: string) {
    this.#notifier = notifier;
    this.#queue = topic.queue(endpointId);
    this.#worker = topic.worker(workerId);
    this.#subscription = notifier.subscribe(this.#queue, this.#worker);
  }

  async wait(clock: Clock, waitMs: number, signal: AbortSignal): Promise<void> {
    this.#hasWakeUp = await this.#subscription.wait(clock, waitMs, signal);
  }

  /** Called after a claim: it has used the last wake-up. */
  useWakeUp(): void {
    this.#hasWakeUp = false;
  }

  /** The poll of a worker that takes no more jobs is still held, but gets no wake-ups for jobs. */
  leave(): void {
    if (!this.#inLine) return;
    this.#inLine = false;
    this.#subscription.close();
    this.#subscription = this.#notifier.subscribe(this.#worker);
    this.#notifier.notifySome(this.#queue, 1);
  }

  close(): void {
    const unused = this.#hasWakeUp || this.#subscription.signalled;
    this.#subscription.close();
    if (unused && this.#inLine) this.#notifier.notifySome(this.#queue, 1);
  }
}

/** How long any poll of a worker is held. */
export async function holdMs({ store, protocol }: TakeDeps, workerId: string): Promise<number> {
  try {
    return holdOf(protocol, await store.read(noJobReason, workerId));
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return holdOf(protocol, "store_unavailable");
  }
}

/** The poll of a worker about to end is short, so that it sees its signal, but not so short that it spins. */
function holdOf(protocol: Protocol, reason: NoJobReason | "store_unavailable"): number {
  return reason === "ending" ? protocol.endingHoldMs : protocol.pollHoldMs;
}

/** Requeues the jobs if the poll has closed. */
async function handOver(
  deps: TakeDeps,
  workerId: string,
  jobs: ClaimedJob[],
  poll: Poll,
): Promise<ClaimedJob[]> {
  if (!poll.isClosed) return jobs;
  const { store, clock } = deps;
  const requeue = (claim: ClaimedJob) =>
    retryWhileUnavailable(leaseDeadline(deps), () =>
      store.write(releaseClaim, claim, workerId, clock.now()),
    );
  await Promise.all(jobs.map(requeue));
  return [];
}
