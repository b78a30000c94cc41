// Reads the log of one worker as it grows, and stores each line with the job that it belongs to. Lines are
// stored in batches, so that a line costs no commit of its own.

import type { Clock } from "../../../base/clock.ts";
import { JobLines, MAX_JOB_LOG, piecesOf } from "../../../domain/log/job-lines.ts";
import type { Driver } from "../../../drivers/driver.ts";
import type { Store } from "../../../store/engine/store.ts";
import { jobSpansOf, type LogMark, logMarkOf } from "../../../store/log/job-log.ts";
import { appendJobLogs } from "../../../transactions/log/append-job-logs.ts";

export interface WorkerLogDeps {
  store: Store;
  clock: Clock;
}

export interface LoggedWorker {
  id: string;
  endpointId: string;
  createdAt: number;
}

/** A line of an unknown job waits this long for the line that names the job. */
const SETTLED_MS = 1_000;

/** A line without a time is read at most this long after it was written, once a log is followed. */
const MAX_READ_DELAY_MS = 400;

/** How much of this many jobs' logs is remembered as stored. */
const MAX_SIZES = 1_000;

export class WorkerLog {
  readonly #deps: WorkerLogDeps;
  readonly #worker: LoggedWorker;
  readonly #driver: Driver;
  readonly #lines = new JobLines();
  readonly #stop = new AbortController();
  readonly #sizes = new LogSizes();
  /** The position up to which the log is stored; null before the first line. */
  #stored: string | null = null;
  /** The last line that was read, and the time before which all lines have been read. */
  #read: LogMark | null = null;
  #isReading = false;

  constructor(deps: WorkerLogDeps, worker: LoggedWorker, driver: Driver) {
    this.#deps = deps;
    this.#worker = worker;
    this.#driver = driver;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Whether all that was read is stored. */
  get isStored(): boolean {
    return this.#read === null || this.#read.mark === this.#stored;
  }

  /** Continues after the last line that was read, or that is stored, until the worker's run ends. */
  start(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#follow()
      // The machine is unreachable; the next pass starts it again.
      .catch(() => {})
      .finally(() => {
        this.#isReading = false;
      });
  }

  async #follow(): Promise<void> {
    const { store, clock } = this.#deps;
    if (this.#read === null) {
      this.#read = await store.read(logMarkOf, this.#worker.id);
      this.#stored = this.#read?.mark ?? null;
    }
    const after = this.#read?.mark ?? null;
    let since = this.#read?.at ?? this.#worker.createdAt;
    let isCurrent = false;
    for await (const batch of this.#driver.follow(this.#worker.id, after, this.#stop.signal)) {
      const last = batch.at(-1);
      if (!last) continue;
      const now = clock.now();
      if (isCurrent) since = Math.max(since, now - MAX_READ_DELAY_MS);
      isCurrent = true;
      for (const { at, text, mark } of batch) {
        this.#lines.add({ text, mark, from: at ?? since, to: at ?? now });
      }
      this.#read = { mark: last.mark, at: now };
      since = now;
    }
  }

  /**
   * Stores what was read. After false, when another replica has stored it, and after a failure, the log must be
   * read again from its stored mark.
   */
  async flush(isLast = false): Promise<boolean> {
    if (this.isStored) return true;
    const { store, clock } = this.#deps;
    const { id, endpointId } = this.#worker;
    const lines = this.#lines;
    const settledAt = isLast ? Number.POSITIVE_INFINITY : clock.now() - SETTLED_MS;
    const spans = lines.needsSpans ? await store.read(jobSpansOf, id, lines.unknownSince) : [];
    const { lines: labelled, mark } = lines.take(spans, settledAt);
    if (mark === null) return true;
    const pieces = piecesOf(labelled);
    const toTrim = pieces.filter((piece) => this.#sizes.add(piece)).map(({ jobId }) => jobId);
    const to = { mark, at: clock.now() };
    const batch = { worker: { id, endpointId }, pieces, toTrim, from: this.#stored, to };
    const isStored = await store.write(appendJobLogs, batch);
    if (isStored) this.#stored = to.mark;
    return isStored;
  }

  close(): void {
    this.#stop.abort();
  }
}

/** How much of each job's log is stored, for the jobs that printed last. */
class LogSizes {
  readonly #sizes = new Map<string, { lines: number; chars: number }>();

  /** True if the job's log may have reached a limit. */
  add({ jobId, lines, chars }: { jobId: string; lines: unknown[]; chars: number }): boolean {
    const before = this.#sizes.get(jobId) ?? { lines: 0, chars: 0 };
    const now = { lines: before.lines + lines.length, chars: before.chars + chars };
    this.#sizes.delete(jobId);
    this.#sizes.set(jobId, now);
    if (this.#sizes.size > MAX_SIZES) this.#sizes.delete(this.#sizes.keys().next().value!);
    return now.lines > MAX_JOB_LOG.lines || now.chars > MAX_JOB_LOG.chars;
  }
}
