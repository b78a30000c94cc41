// Every constant of the protocol, each a setting with the documented default, so that tests can run
// short and a simulation can own time.

export interface Protocol {
  /** How long a worker's take and stop polls are held; below the shortest client limit (30 s). */
  pollHoldMs: number;
  /**
   * How long a worker's result is held while the store is away; below the shortest limit on the way
   * (90 s). A worker tries three times.
   */
  postHoldMs: number;
  /** How long a refused worker's poll is held, so that it does not spin. */
  refuseHoldMs: number;
  /** How long the poll of a worker that is about to be signalled is held. */
  endingHoldMs: number;
  /** A job whose worker does not list it for this long may be lost. */
  leaseMs: number;
  /** A worker that pings by itself and is not heard of at all for this long is lost. */
  silentMs: number;
  pingIntervalMs: number;
  /** A job that must stop is called out to its worker again after this long. */
  stopAgainMs: number;
  /** A worker that still works on a stopped job after this long is ended. */
  stopGraceMs: number;
  /** Between SIGTERM and SIGKILL. */
  endGraceMs: number;
  /** The same for a spot Pod that gives way. */
  evictGraceMs: number;
  /** How long a stopping service still takes results. */
  drainMs: number;
  /** A worker that has not called by then is unhealthy. */
  startupMs: number;
  keepAsyncMs: number;
  keepSyncMs: number;
  keepSyncWaitMs: number;
  defaultTtlMs: number;
  defaultWaitMs: number;
  /** An empty stream is held this long, unless the client says otherwise. */
  streamHoldMs: number;
  webhookTimeoutMs: number;
  /** Pauses before the second and the third try. */
  webhookBackoffMs: number[];
  /** How often a replica says that it is there; one that falls silent loses its duties after five. */
  beatMs: number;
  /** How often what workloads use is looked at. */
  measureMs: number;
  /** A machine whose replica is silent for this long is lost, and its workers with it. */
  machineLostMs: number;
  /** How long the audit log is kept. */
  auditKeepMs: number;
  /** Credits that last for no longer than this are warned of. */
  lowBalanceMs: number;
  /** How long what was stopped for want of credits is kept. */
  emptyGraceMs: number;
  /** How long workers may finish their jobs once a budget is spent. */
  budgetGraceMs: number;
  /** How long a browser stays signed in. */
  sessionMs: number;
}

export const documented: Protocol = {
  pollHoldMs: 22_000,
  postHoldMs: 80_000,
  refuseHoldMs: 5_000,
  endingHoldMs: 500,
  leaseMs: 40_000,
  silentMs: 60_000,
  pingIntervalMs: 10_000,
  stopAgainMs: 5_000,
  stopGraceMs: 15_000,
  endGraceMs: 10_000,
  evictGraceMs: 5_000,
  drainMs: 10_000,
  startupMs: 7 * 60_000,
  keepAsyncMs: 30 * 60_000,
  keepSyncMs: 60_000,
  keepSyncWaitMs: 5 * 60_000,
  defaultTtlMs: 24 * 3_600_000,
  defaultWaitMs: 90_000,
  streamHoldMs: 4_000,
  webhookTimeoutMs: 10_000,
  webhookBackoffMs: [10_000, 10_000],
  beatMs: 1_000,
  measureMs: 10_000,
  machineLostMs: 30_000,
  auditKeepMs: 365 * 24 * 3_600_000,
  lowBalanceMs: 24 * 3_600_000,
  emptyGraceMs: 24 * 3_600_000,
  budgetGraceMs: 60_000,
  sessionMs: 12 * 3_600_000,
};

export const limits = {
  runBytes: 10 * 1_048_576,
  runsyncBytes: 20 * 1_048_576,
  resultBytes: 20 * 1_048_576,
  chunkBytes: 1_048_576,
  /** Of a stream reply; more chunks ride in the next one. */
  streamReplyBytes: 8 * 1_048_576,
  /** Of every other body. */
  bodyBytes: 1_048_576,
  depth: 512,
  inFlightBytes: 256 * 1_048_576,
  waitMs: { min: 1_000, max: 300_000 },
  executionMs: { min: 5_000, max: 7 * 24 * 3_600_000 },
  ttlMs: { min: 10_000, max: 7 * 24 * 3_600_000 },
  statusTtlMs: { min: 1_000, max: 7 * 24 * 3_600_000 },
};
