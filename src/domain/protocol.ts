// The timing constants of the protocol. Each has the documented default and is a setting, so that
// tests can shorten it and a simulation can control it.

import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from "../base/units.ts";

export interface Protocol {
  /** How long a worker's take and stop polls are held; below the shortest client limit (30 s). */
  pollHoldMs: number;
  /**
   * How long a worker's result is held while the store is unavailable; below the shortest timeout
   * between worker and service (90 s). A worker tries three times.
   */
  postHoldMs: number;
  /** How long a refused worker's poll is held, so that it does not spin. */
  refuseHoldMs: number;
  /** How long the poll of a worker that is about to be signalled is held. */
  endingHoldMs: number;
  /** After this long without being listed by its worker, a job may be lost. */
  leaseMs: number;
  /** A worker with independent pings is lost after this long without any call. */
  silentMs: number;
  pingIntervalMs: number;
  /** How often the request to stop a job is repeated to its worker. */
  stopAgainMs: number;
  /**
   * How long a worker may leave a stop request unread before it is ended, because its handler
   * blocks.
   */
  stopGraceMs: number;
  /** How long a worker may continue a job after it read the stop request; then it is ended. */
  stopHeardGraceMs: number;
  /** The time between SIGTERM and SIGKILL. */
  endGraceMs: number;
  /** The time between SIGTERM and SIGKILL for a worker that continues a job that it must stop. */
  stoppedEndGraceMs: number;
  /** The time between SIGTERM and SIGKILL for an evicted spot Pod. */
  evictGraceMs: number;
  /** A container that runs this long after its SIGKILL is reported: its engine cannot end it. */
  endOverdueMs: number;
  /** How long a stopping service accepts results. */
  drainMs: number;
  /** A worker that has not called after this long is unhealthy. */
  startupMs: number;
  keepAsyncMs: number;
  keepSyncMs: number;
  keepSyncWaitMs: number;
  /** The bounds of the retention that an endpoint may set. */
  keepMinMs: number;
  keepMaxMs: number;
  defaultTtlMs: number;
  defaultWaitMs: number;
  /** How long a stream request without output is held, unless the client requests another time. */
  streamHoldMs: number;
  /** How long a request to a load-balancing endpoint is held until a worker is ready. */
  requestWaitMs: number;
  /** How long a request waits that requires one worker. */
  affinityWaitMs: number;
  /** Requests of one endpoint that a replica holds at most. */
  maxHeldRequests: number;
  /** How long requests in flight keep a worker that is to end. */
  requestDrainMs: number;
  /** The time between the last request to a worker that is to end and its signal. */
  requestSettleMs: number;
  /** How often requests in flight are reported to the store at most. */
  loadReportMs: number;
  /** The pause between two health checks of a worker that is not ready. */
  healthStartingMs: number;
  /** The pause between two health checks of a ready worker. */
  healthReadyMs: number;
  /** How long a health check waits for an answer. */
  healthTimeoutMs: number;
  webhookTimeoutMs: number;
  /** The pauses before the second and the third try. */
  webhookBackoffMs: number[];
  /** How long the first event of a notification waits for others. */
  notificationGatherMs: number;
  /** The shortest time between two notifications of a rule. */
  notificationIntervalMs: number;
  /** The heartbeat interval of a replica; a silent one loses its leaderships after five. */
  heartbeatMs: number;
  /** The interval of usage measurements. */
  measureMs: number;
  /** After this long without a heartbeat of its replica, a machine and its workers are lost. */
  machineLostMs: number;
  /** The retention of audit entries. */
  auditKeepMs: number;
  /** A balance that lasts no longer than this causes a warning. */
  lowBalanceMs: number;
  /** How long resources that were stopped for lack of credits are kept. */
  emptyGraceMs: number;
  /** How long workers may finish their jobs once a budget is spent. */
  budgetGraceMs: number;
  /** The lifetime of a browser session. */
  sessionMs: number;
  /** The lifetime of a session whose sign-in provider cannot be asked again. */
  uncheckedSessionMs: number;
  /** How often the sign-in provider is asked whether a sign-in is still valid. */
  signInCheckMs: number;
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
  stopGraceMs: 4_000,
  stopHeardGraceMs: 15_000,
  endGraceMs: 10_000,
  stoppedEndGraceMs: 2_500,
  evictGraceMs: 5_000,
  endOverdueMs: 30_000,
  drainMs: 10_000,
  startupMs: 7 * MINUTE_MS,
  keepAsyncMs: 30 * MINUTE_MS,
  keepSyncMs: 60_000,
  keepSyncWaitMs: 5 * MINUTE_MS,
  keepMinMs: 1_000,
  keepMaxMs: 7 * DAY_MS,
  defaultTtlMs: DAY_MS,
  defaultWaitMs: 90_000,
  streamHoldMs: 4_000,
  requestWaitMs: 120_000,
  affinityWaitMs: 300_000,
  maxHeldRequests: 1_000,
  requestDrainMs: 330_000,
  requestSettleMs: 3_000,
  loadReportMs: 200,
  healthStartingMs: 1_000,
  healthReadyMs: 5_000,
  healthTimeoutMs: 2_000,
  webhookTimeoutMs: 10_000,
  webhookBackoffMs: [10_000, 10_000],
  notificationGatherMs: 2_000,
  notificationIntervalMs: 60_000,
  heartbeatMs: 1_000,
  measureMs: 10_000,
  machineLostMs: 30_000,
  auditKeepMs: 365 * DAY_MS,
  lowBalanceMs: DAY_MS,
  emptyGraceMs: DAY_MS,
  budgetGraceMs: 60_000,
  sessionMs: 12 * HOUR_MS,
  uncheckedSessionMs: HOUR_MS,
  signInCheckMs: 4 * MINUTE_MS,
};

export const limits = {
  runBytes: 10 * MIB,
  runsyncBytes: 20 * MIB,
  batchBytes: 64 * MIB,
  /** The longest policy, webhook, s3Config or member's name in a body with inputs. */
  memberBytes: 64 * 1024,
  resultBytes: 20 * MIB,
  chunkBytes: 1_048_576,
  /** The limit of a stream reply; further chunks follow in the next reply. */
  streamReplyBytes: 8 * MIB,
  /** The limit of every other body. */
  bodyBytes: 1_048_576,
  /** The limit of a body without a valid API key: a password of 1,024 characters fits, also as JSON escapes. */
  keylessBodyBytes: 16_384,
  depth: 512,
  /** The limits of all bodies in memory, of clients and of workers. */
  clientRoomBytes: 192 * MIB,
  workerRoomBytes: 64 * MIB,
  waitMs: { min: 1_000, max: 300_000 },
  executionMs: { min: 5_000, max: 7 * DAY_MS },
  ttlMs: { min: 10_000, max: 7 * DAY_MS },
  statusTtlMs: { min: 1_000, max: 7 * DAY_MS },
};
