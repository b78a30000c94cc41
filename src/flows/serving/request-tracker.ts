// Counts this replica's requests to load-balancing endpoints, and reports the counts to the store for
// the autoscaler and the other replicas. A change is reported at once, then at most once per interval.

import type { Clock } from "../../base/clock.ts";
import {
  type AnswerCounts,
  addAnswer,
  addAnswers,
  type EndedRequest,
  noAnswers,
} from "../../domain/serving/answer-counts.ts";
import type { Store } from "../../store/engine/store.ts";
import { type LoadReport, reportLoad } from "../../transactions/serving/report-load.ts";

/** Counts that were not reported for this long no longer apply. */
export const LOAD_STALE_MS = 15_000;
const REPEAT_MS = 5_000;

interface Count {
  endpointId: string;
  /** Empty for requests that are held. */
  workerId: string;
  requests: number;
  /** The last count in the store; null before the first report. */
  reported: number | null;
  served: number;
}

export interface TrackerDeps {
  store: Store;
  clock: Clock;
  replicaId: string;
  loadReportMs: number;
}

export class RequestTracker {
  readonly #deps: TrackerDeps;
  readonly #counts = new Map<string, Count>();
  /** The answers of each endpoint since the last report. */
  readonly #answers = new Map<string, AnswerCounts>();
  #cancelReport: (() => void) | null = null;
  #cancelRepeat: (() => void) | null = null;
  #reporting = false;
  #closed = false;

  constructor(deps: TrackerDeps) {
    this.#deps = deps;
  }

  /** All counts, for metrics. */
  counts(): Iterable<{ endpointId: string; workerId: string; requests: number }> {
    return this.#counts.values();
  }

  /**
   * Counts a request until the returned function is called, with whether the worker answered it. That
   * function returns false if it was called before.
   */
  begin(endpointId: string, workerId: string): (isServed: boolean) => boolean {
    const count = this.#countOf(endpointId, workerId);
    count.requests++;
    this.#schedule();
    let isOver = false;
    return (isServed) => {
      if (isOver) return false;
      isOver = true;
      count.requests--;
      if (isServed) count.served++;
      this.#schedule();
      return true;
    };
  }

  #countOf(endpointId: string, workerId: string): Count {
    const key = workerId === "" ? `held for ${endpointId}` : workerId;
    const known = this.#counts.get(key);
    if (known) return known;
    const count = { endpointId, workerId, requests: 0, reported: null, served: 0 };
    this.#counts.set(key, count);
    return count;
  }

  /** Counts a request that ended for the history of its endpoint. */
  record(endpointId: string, ended: EndedRequest): void {
    addAnswer(this.#answersOf(endpointId), ended);
    this.#schedule();
  }

  #answersOf(endpointId: string): AnswerCounts {
    const counts = this.#answers.get(endpointId) ?? noAnswers();
    this.#answers.set(endpointId, counts);
    return counts;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelReport?.();
    this.#cancelRepeat?.();
  }

  #schedule(): void {
    if (this.#closed || this.#cancelReport || this.#reporting) return;
    this.#cancelReport = this.#deps.clock.after(0, () => void this.#report());
  }

  async #report(): Promise<void> {
    const { store, clock, replicaId, loadReportMs } = this.#deps;
    this.#cancelReport = null;
    this.#reporting = true;
    const changed = [...this.#counts.values()].filter(isChanged);
    const reports = changed.map(taken);
    const answers = [...this.#answers].map(([endpointId, counts]) => ({ endpointId, counts }));
    this.#answers.clear();
    try {
      const report = { replica: replicaId, now: clock.now(), changed: true };
      await store.write(reportLoad, reports, answers, report);
    } catch {
      // The store is unavailable: the next report repeats the counts.
      for (const [n, count] of changed.entries()) {
        count.reported = null;
        count.served += reports[n]!.served;
      }
      for (const { endpointId, counts } of answers) addAnswers(this.#answersOf(endpointId), counts);
    }
    for (const [key, count] of this.#counts) if (isOver(count)) this.#counts.delete(key);
    if (this.#closed) return;
    this.#cancelReport = clock.after(loadReportMs, () => {
      this.#cancelReport = null;
      const isDue = this.#answers.size > 0 || [...this.#counts.values()].some(isChanged);
      if (isDue) void this.#report();
    });
    this.#reporting = false;
    this.#repeat();
  }

  /** Repeats unchanged counts, so that they do not expire. */
  #repeat(): void {
    if (this.#cancelRepeat || this.#counts.size === 0) return;
    const { store, clock, replicaId } = this.#deps;
    this.#cancelRepeat = clock.after(REPEAT_MS, () => {
      this.#cancelRepeat = null;
      const still = [...this.#counts.values()].filter(({ requests }) => requests > 0);
      const reports = still.map((count) => ({ ...count, served: 0 }));
      const report = { replica: replicaId, now: clock.now(), changed: false };
      store.write(reportLoad, reports, [], report).catch(() => {});
      if (!this.#closed) this.#repeat();
    });
  }
}

const isChanged = ({ requests, reported, served }: Count) => requests !== reported || served > 0;

const isOver = ({ requests, reported, served }: Count) =>
  requests === 0 && reported === 0 && served === 0;

/** The count as it is reported now. */
function taken(count: Count): LoadReport {
  const { endpointId, workerId, requests, served } = count;
  count.reported = requests;
  count.served = 0;
  return { endpointId, workerId, requests, served };
}
