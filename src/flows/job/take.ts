// A worker asks for jobs. The poll is held until there is one, the hold is over, or the worker is
// on its way out; a job is never handed to a poll whose socket has gone.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type ClaimedJob, claimJobs, type Standing, standingOf } from "../../store/job/claim.ts";
import { unclaim, unclaimAt } from "../../store/job/give-back.ts";
import type { Store } from "../../store/store.ts";
import { type Bell, topic, type Wakes } from "../../store/wakes.ts";
import { AGAIN_MS, isStoreAway, type Patience, patiently } from "../store-away.ts";

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
  const claims = new Claims(deps, id);
  try {
    for (;;) {
      const got = await claims.ask(endpointId, most);
      if (got !== "away") line.asked();
      if (typeof got !== "string") return await handOver(deps, id, got, poll);
      if (got === "not_taking" || got === "ending") line.leave();
      const gone = poll.signal();
      const leftMs = since + holdOf(protocol, got) - clock.now();
      if (gone.aborted || leftMs <= 0) return [];
      await line.wait(clock, got === "away" ? Math.min(leftMs, AGAIN_MS.longest) : leftMs, gone);
      if (gone.aborted) return [];
    }
  } finally {
    claims.close();
    line.close();
  }
}

/**
 * What one poll asks of the store. A claim whose answer was lost may have been kept: its jobs are
 * given back before the next one, or they would wait for their lease to run out.
 */
class Claims {
  readonly #deps: TakeDeps;
  readonly #workerId: string;
  #unsureOf: number | null = null;

  constructor(deps: TakeDeps, workerId: string) {
    this.#deps = deps;
    this.#workerId = workerId;
  }

  async ask(endpointId: string, most: number): Promise<ClaimedJob[] | Standing | "away"> {
    const { store, clock, protocol } = this.#deps;
    const now = clock.now();
    try {
      if (this.#unsureOf !== null) await this.#giveBack(this.#unsureOf);
      this.#unsureOf = now;
      const { leaseMs } = protocol;
      const got = await store.write(claimJobs, endpointId, this.#workerId, most, now, leaseMs);
      this.#unsureOf = null;
      return got;
    } catch (error) {
      if (isStoreAway(error)) return "away";
      this.#unsureOf = null;
      throw error;
    }
  }

  close(): void {
    const takenAt = this.#unsureOf;
    if (takenAt === null) return;
    // Nobody waits for it; where the store stays away the lease runs out.
    void patiently(nobodyWaits(this.#deps), () => this.#giveBack(takenAt)).catch(() => {});
  }

  #giveBack(takenAt: number): Promise<void> {
    const { store, clock } = this.#deps;
    return store.write(unclaimAt, this.#workerId, takenAt, clock.now());
  }
}

const never = new AbortController().signal;

function nobodyWaits({ clock, protocol }: TakeDeps): Patience {
  return { clock, until: clock.now() + protocol.leaseMs, gone: () => never };
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
  try {
    return holdOf(protocol, await store.read(standingOf, workerId));
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    return holdOf(protocol, "away");
  }
}

/** A worker that is being signalled is let go, so that it can see the signal, but never spins. */
function holdOf(protocol: Protocol, standing: Standing | "away"): number {
  return standing === "ending" ? protocol.endingHoldMs : protocol.pollHoldMs;
}

/** Nobody is there any more to be given the jobs: they go back. */
async function handOver(
  deps: TakeDeps,
  workerId: string,
  jobs: ClaimedJob[],
  poll: Poll,
): Promise<ClaimedJob[]> {
  if (!poll.gone) return jobs;
  const { store, clock } = deps;
  const giveBack = ({ seq }: ClaimedJob) =>
    patiently(nobodyWaits(deps), () => store.write(unclaim, seq, workerId, clock.now()));
  await Promise.all(jobs.map(giveBack));
  return [];
}
