// Finds a worker for each request to a load-balancing endpoint. A request without a ready worker is held
// until one is ready, which makes the autoscaler start one.

import { type Ready, whenReady } from "../../base/ready.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Affinity } from "../../domain/serving/affinity.ts";
import { chooseWorker } from "../../domain/serving/choose-worker.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import type { DialDeps } from "../pod/dial.ts";
import type { PodConnection } from "../pod/reach.ts";
import { RequestTracker } from "./request-tracker.ts";
import { type PoolWorker, readPool, WorkerPool } from "./worker-pool.ts";

/** How long a worker that failed a request is avoided. */
const AVOIDED_MS = 1_000;
const REFRESH_MS = 1_000;
/** An endpoint without requests for this long is forgotten. */
const FORGET_MS = 60_000;

export interface ReadyWorker {
  workerId: string;
  connection: PodConnection;
}

/** A worker that takes one request. */
export interface Lease extends ReadyWorker {
  /** Ends the request, once. `isServed` is true if the worker answered it. */
  release(isServed: boolean): void;
  /** The worker failed the request: others are preferred for a moment. */
  avoid(): void;
  /** The worker accepts no connection: it gets no requests for a moment. */
  markDown(): void;
}

export interface LeaseRequest {
  endpoint: Endpoint;
  affinity: Affinity;
  /** Aborts when the client is gone. Only a request that waits calls this. */
  signal(): AbortSignal;
}

export interface DispatcherDeps extends DialDeps {
  store: Store;
  replicaId: string;
  protocol: Pick<Protocol, "requestWaitMs" | "affinityWaitMs" | "maxHeldRequests" | "loadReportMs">;
}

interface Waiter {
  affinity: Affinity;
  settle(result: Lease | Fault): void;
}

interface Entry {
  pool: WorkerPool;
  waiters: Set<Waiter>;
  isLoaded: boolean;
  usedTicks: number;
}

interface Load {
  done: Promise<void>;
  /** What changes from now on may be missing in what it reads. */
  hasBegun: boolean;
}

export class Dispatcher {
  readonly tracker: RequestTracker;
  readonly #deps: DispatcherDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #avoided = new Set<string>();
  /** The last load of each endpoint; at most one waits for another. */
  readonly #loads = new Map<string, Load>();
  readonly #unsubscribe: () => void;
  #cancelRefresh: (() => void) | null = null;
  #dispatches = 0;
  #isClosed = false;

  constructor(deps: DispatcherDeps) {
    const { store, clock, replicaId, protocol } = deps;
    this.#deps = deps;
    this.tracker = new RequestTracker({
      store,
      clock,
      replicaId,
      loadReportMs: protocol.loadReportMs,
    });
    this.#unsubscribe = store.notifier.on(topic.serving, () => this.#refreshAll());
  }

  /** Synchronous if a worker is ready. Fails with a Fault. */
  lease(request: LeaseRequest): Ready<Lease> {
    const { endpoint, affinity } = request;
    const entry = this.#entryOf(endpoint.id);
    const load = entry.isLoaded ? undefined : this.#load(endpoint.id);
    return whenReady(load, () => {
      const result = this.#choose(endpoint.id, entry, affinity);
      if (result instanceof Fault) throw result;
      return result ?? this.#hold(entry, request);
    });
  }

  /** A worker for a question that counts as no request: it starts no worker, and keeps none alive. */
  readyWorker(endpointId: string): Ready<ReadyWorker | null> {
    const entry = this.#entryOf(endpointId);
    const load = entry.isLoaded ? undefined : this.#load(endpointId);
    return whenReady(load, () => {
      const choice = chooseWorker(entry.pool.candidates, { kind: "any" }, this.#avoided);
      if (choice.do !== "send") return null;
      const { connection } = entry.pool.workers.get(choice.workerId)!;
      return { workerId: choice.workerId, connection };
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelRefresh?.();
    for (const { pool, waiters } of this.#entries.values()) {
      for (const waiter of [...waiters]) waiter.settle(new Fault("stopping"));
      pool.end();
    }
    this.#entries.clear();
    this.tracker.close();
  }

  #entryOf(endpointId: string): Entry {
    const { clock } = this.#deps;
    const known = this.#entries.get(endpointId);
    if (known) {
      known.usedTicks = clock.ticks();
      return known;
    }
    const pool = new WorkerPool(this.#deps);
    const entry = { pool, waiters: new Set<Waiter>(), isLoaded: false, usedTicks: clock.ticks() };
    this.#entries.set(endpointId, entry);
    this.#scheduleRefresh();
    return entry;
  }

  /** Null if the request has to wait. */
  #choose(endpointId: string, { pool }: Entry, affinity: Affinity): Lease | Fault | null {
    if (!pool.endpoint) return new Fault("endpoint_not_found", { id: endpointId });
    const choice = chooseWorker(pool.candidates, affinity, this.#avoided);
    if (choice.do === "wait") return null;
    if (choice.do === "send") return this.#grant(endpointId, pool.workers.get(choice.workerId)!);
    return new Fault("affinity_worker_gone", { id: workerIdOf(affinity) });
  }

  #grant(endpointId: string, worker: PoolWorker): Lease {
    const { clock } = this.#deps;
    const { id: workerId, connection } = worker;
    const end = this.tracker.begin(endpointId, workerId);
    worker.lastUsed = ++this.#dispatches;
    worker.inFlightHere++;
    return {
      workerId,
      connection,
      release: (isServed) => {
        if (end(isServed)) worker.inFlightHere--;
      },
      avoid: () => {
        this.#avoided.add(workerId);
        clock.after(AVOIDED_MS, () => this.#avoided.delete(workerId));
      },
      markDown: () => {
        worker.isDown = true;
        clock.after(AVOIDED_MS, () => {
          worker.isDown = false;
        });
      },
    };
  }

  #hold(entry: Entry, request: LeaseRequest): Promise<Lease> {
    const { endpoint, affinity } = request;
    const { clock, protocol } = this.#deps;
    const { pool, waiters } = entry;
    if (pool.endpoint?.spec.workersMax === 0) throw new Fault("no_workers_available");
    if (waiters.size >= protocol.maxHeldRequests) {
      throw new Fault("too_many_held", { limit: protocol.maxHeldRequests });
    }
    const signal = request.signal();
    const release = this.tracker.begin(endpoint.id, "");
    const waitMs = affinity.kind === "require" ? protocol.affinityWaitMs : protocol.requestWaitMs;
    return new Promise<Lease>((resolve, reject) => {
      const timeOut = () => waiter.settle(timeoutFault(pool, affinity));
      const abort = () => waiter.settle(new Fault("stopping"));
      const cancel = clock.after(waitMs, timeOut);
      const waiter: Waiter = {
        affinity,
        settle(result) {
          if (!waiters.delete(waiter)) return;
          cancel();
          signal.removeEventListener("abort", abort);
          release(false);
          if (result instanceof Fault) reject(result);
          else resolve(result);
        },
      };
      waiters.add(waiter);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    });
  }

  #refreshAll(): void {
    for (const [id, entry] of this.#entries) {
      // If the store is unavailable, the next refresh reads it.
      if (this.#isNeeded(entry)) this.#load(id, true).catch(() => {});
      else this.#forget(id, entry);
    }
  }

  #isNeeded({ waiters, pool, usedTicks }: Entry): boolean {
    if (waiters.size > 0 || this.#deps.clock.ticks() < usedTicks + FORGET_MS) return true;
    return pool.candidates.some(({ inFlightHere }) => inFlightHere > 0);
  }

  #forget(id: string, { pool }: Entry): void {
    this.#entries.delete(id);
    pool.end();
  }

  /** With `again`, what is being read now may be too old. */
  #load(id: string, again = false): Promise<void> {
    const last = this.#loads.get(id);
    if (last && !(again && last.hasBegun)) return last.done;
    const load: Load = { hasBegun: false, done: Promise.resolve() };
    load.done = (last?.done ?? load.done)
      .catch(() => {})
      .then(() => {
        load.hasBegun = true;
        return this.#read(id);
      })
      .finally(() => {
        if (this.#loads.get(id) === load) this.#loads.delete(id);
      });
    this.#loads.set(id, load);
    return load.done;
  }

  async #read(id: string): Promise<void> {
    const { store, replicaId } = this.#deps;
    if (this.#isClosed) return;
    const state = await store.read(readPool, id, replicaId);
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.pool.update(state);
    entry.isLoaded = true;
    for (const waiter of [...entry.waiters]) {
      const result = this.#choose(id, entry, waiter.affinity);
      if (result) waiter.settle(result);
      else if (state.endpoint?.spec.workersMax === 0) {
        waiter.settle(new Fault("no_workers_available"));
      }
    }
  }

  #scheduleRefresh(): void {
    if (this.#cancelRefresh || this.#isClosed) return;
    this.#cancelRefresh = this.#deps.clock.after(REFRESH_MS, () => {
      this.#cancelRefresh = null;
      this.#refreshAll();
      if (this.#entries.size > 0) this.#scheduleRefresh();
    });
  }
}

const workerIdOf = (affinity: Affinity) => (affinity.kind === "any" ? "" : affinity.workerId);

/** A worker that still starts came too late; otherwise none could be started. */
function timeoutFault({ starting, workers }: WorkerPool, affinity: Affinity): Fault {
  const some = starting > 0 || workers.size > 0 || affinity.kind === "require";
  return new Fault(some ? "worker_timeout" : "no_workers_available");
}
