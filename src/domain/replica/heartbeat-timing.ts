// The timing of a replica's heartbeats, and the consequences of missing ones. Pure.

export interface HeartbeatTiming {
  /** The time between two heartbeats. */
  heartbeatMs: number;
  /** How long a holder keeps its leaderships without a heartbeat. */
  leaseMs: number;
  /** After this long without a heartbeat, a replica gets no new workers and no calls. */
  goneMs: number;
}

export function heartbeatTimingOf(heartbeatMs: number): HeartbeatTiming {
  return { heartbeatMs, leaseMs: 5 * heartbeatMs, goneMs: 8 * heartbeatMs };
}
