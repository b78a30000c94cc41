// A worker asks for jobs. The poll is held until there is one, the hold is over, or the worker is
// on its way out; a job is never handed to a poll whose socket has gone.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type ClaimedJob, claimJobs, type Standing, standingOf } from "../../store/job/claim.ts";
import { unclaim } from "../../store/job/give-back.ts";
import type { Store } from "../../store/store.ts";
import { type Bell, topic, type Wakes } from "../../store/wakes.ts";

export interface TakeDeps {
  store: Store;
  clock: Clock;
  protocol: Protocol;
}

/** The request that asks. Most are answered at once, and only the others need a signal. */
export interface Poll {
  /** True once nobody is there to be answered. */
  readonly gone: boolean;
  /** Aborts when that happens, or when all polls are to be let go. */
  signal(): AbortSignal;
}

/** Resolves to the jobs, or to none once the hold is over. */
export async function take(
  deps: TakeDeps,
  worker: { id: string; endpointId: string },
  most: number,
  poll: Poll,
): Promise<ClaimedJob[]> {
  const { store, clock, protocol } = deps;
  const since = clock.now();
  const { endpointId, id } = worker;
  // In line before it asks: a job may come between the question and the wait.
  const line = new Line(store.wakes, endpointId, id);
  try {
    for (;;) {
      const got = await store.write(claimJobs, endpointId, id, most, clock.now(), protocol.leaseMs);
      line.asked();
      if (typeof got !== "string") return await handOver(deps, id, got, poll);
      if (got !== "none_waiting") line.leave();
      const gone = poll.signal();
      const leftMs = since + holdOf(protocol, got) - clock.now();
      if (gone.aborted || leftMs <= 0) return [];
      await line.wait(clock, leftMs, gone);
      if (gone.aborted) return [];
    }
  } finally {
    line.close();
  }
}

/**
 * A poll's place in the line for an endpoint's jobs. One wake-up per job goes to the poll that has
 * waited longest; whoever does not use his hands it on, or the job would lie there unseen.
 */
class Line {
  readonly #wakes: Wakes;
  readonly #queue: string;
  readonly #worker: string;
  #bell: Bell;
  #owed = false;
  #inLine = true;

  constructor(wakes: Wakes, endpointId: string, workerId: string) {
    this.#wakes = wakes;
    this.#queue = topic.queue(endpointId);
    this.#worker = topic.worker(workerId);
    this.#bell = wakes.hang(this.#queue, this.#worker);
  }

  async wait(clock: Clock, leftMs: number, gone: AbortSignal): Promise<void> {
    this.#owed = await this.#bell.wait(clock, leftMs, gone);
  }

  /** The store was asked since the last wake-up: that one is used. */
  asked(): void {
    this.#owed = false;
  }

  /** A worker that is given no more jobs still has its poll held, but stands in nobody's way. */
  leave(): void {
    if (!this.#inLine) return;
    this.#inLine = false;
    this.#bell.close();
    this.#bell = this.#wakes.hang(this.#worker);
    this.#wakes.ringSome(this.#queue, 1);
  }

  close(): void {
    const unused = this.#owed || this.#bell.rung;
    this.#bell.close();
    if (unused && this.#inLine) this.#wakes.ringSome(this.#queue, 1);
  }
}

/** How long a worker's polls are held, whatever they ask for. */
export async function holdMs({ store, protocol }: TakeDeps, workerId: string): Promise<number> {
  return holdOf(protocol, await store.read(standingOf, workerId));
}

/** A worker that is being signalled is let go, so that it can see the signal, but never spins. */
function holdOf(protocol: Protocol, standing: Standing): number {
  return standing === "ending" ? protocol.endingHoldMs : protocol.pollHoldMs;
}

/** Nobody is there any more to be given the jobs: they go back. */
async function handOver(
  { store, clock }: TakeDeps,
  workerId: string,
  jobs: ClaimedJob[],
  poll: Poll,
): Promise<ClaimedJob[]> {
  if (!poll.gone) return jobs;
  await Promise.all(jobs.map(({ seq }) => store.write(unclaim, seq, workerId, clock.now())));
  return [];
}
