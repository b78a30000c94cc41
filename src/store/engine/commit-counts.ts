// Counts of the batches that this process committed, for metrics.

export interface BatchFigures {
  calls: number;
  /** Round trips to the database server; 0 without a server. */
  roundTrips: number;
  /** From the beginning of the batch until its callers were answered. */
  ms: number;
}

/** How long a job waited or ran. */
export interface JobDuration {
  kind: "delay" | "execution";
  ms: number;
}

/** Receives each batch, and the durations of jobs that it committed. */
export interface CommitObserver {
  recordCommit(figures: BatchFigures): void;
  recordDuration(duration: JobDuration): void;
}

export class CommitCounts {
  batches = 0;
  failed = 0;
  calls = 0;
  roundTrips = 0;
  seconds = 0;
  observer: CommitObserver | null = null;

  record(figures: BatchFigures, committed: boolean): void {
    this.batches += 1;
    this.calls += figures.calls;
    this.roundTrips += figures.roundTrips;
    this.seconds += figures.ms / 1_000;
    if (!committed) this.failed += 1;
    this.observer?.recordCommit(figures);
  }

  recordDurations(durations: readonly JobDuration[]): void {
    for (const duration of durations) this.observer?.recordDuration(duration);
  }
}
