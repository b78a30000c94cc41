// The workers of one load-balancing endpoint as this replica last read them, with connections to them.
// It is read again when a worker's health or desired state changes, and once a second while in use.

import type { Duplex } from "node:stream";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Candidate } from "../../domain/serving/choose-worker.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requestsElsewhere } from "../../store/request-load/request-load.ts";
import { liveWorkers } from "../../store/worker/worker.ts";
import { type DialDeps, dialPod } from "../pod/dial.ts";
import type { PodConnection } from "../pod/reach.ts";

export class PoolWorker implements Candidate {
  readonly id: string;
  readonly connection: PodConnection;
  isReady = false;
  /** It accepted no connection a moment ago. */
  isDown = false;
  /** Requests through this replica. */
  inFlightHere = 0;
  /** Requests through other replicas. */
  inFlightElsewhere = 0;
  lastUsed = 0;
  readonly #over = new AbortController();

  constructor(deps: DialDeps, { id, machine, driver, serving }: LiveWorker) {
    const { port } = serving!;
    const location = { id, machine, driver };
    const dial = (): Promise<Duplex> => dialPod(deps, location, port);
    this.id = id;
    this.connection = { podId: id, port, over: this.#over.signal, dial };
  }

  get ready(): boolean {
    return this.isReady && !this.isDown;
  }

  get inFlight(): number {
    return this.inFlightHere + this.inFlightElsewhere;
  }

  end(): void {
    this.#over.abort();
  }
}

export interface PoolState {
  /** Undefined if it was deleted. */
  endpoint: Endpoint | undefined;
  workers: LiveWorker[];
  elsewhere: { workerId: string; requests: number }[];
}

export function* readPool(endpointId: string, replicaId: string): Tx<PoolState> {
  return {
    endpoint: yield* findEndpoint(endpointId),
    workers: yield* liveWorkers(endpointId),
    elsewhere: yield* requestsElsewhere(endpointId, replicaId),
  };
}

export class WorkerPool {
  readonly workers = new Map<string, PoolWorker>();
  /** `workers` as a list, for the choice of one. */
  candidates: readonly PoolWorker[] = [];
  endpoint: Endpoint | undefined;
  /** Workers that may become ready. */
  starting = 0;
  readonly #deps: DialDeps;

  constructor(deps: DialDeps) {
    this.#deps = deps;
  }

  update({ endpoint, workers, elsewhere }: PoolState): void {
    this.endpoint = endpoint;
    const serving = workers.filter((worker) => worker.serving !== null);
    const requests = new Map(elsewhere.map((each) => [each.workerId, each.requests]));
    this.starting = serving.filter((worker) => workerPhase(worker) === "starting").length;
    this.#endMissing(serving);
    for (const worker of serving) {
      if (worker.observed !== "running") continue;
      const known = this.#worker(worker);
      const phase = workerPhase(worker);
      known.isReady = phase === "idle" || phase === "busy";
      known.inFlightElsewhere = requests.get(worker.id) ?? 0;
    }
    this.candidates = [...this.workers.values()];
  }

  end(): void {
    for (const worker of this.workers.values()) worker.end();
    this.workers.clear();
    this.candidates = [];
  }

  /** A worker that was started again at another port is another one. */
  #worker(worker: LiveWorker): PoolWorker {
    const known = this.workers.get(worker.id);
    if (known?.connection.port === worker.serving!.port) return known;
    known?.end();
    const added = new PoolWorker(this.#deps, worker);
    this.workers.set(worker.id, added);
    return added;
  }

  #endMissing(live: readonly LiveWorker[]): void {
    const ids = new Set(live.map(({ id }) => id));
    for (const [id, worker] of this.workers) {
      if (ids.has(id)) continue;
      worker.end();
      this.workers.delete(id);
    }
  }
}
