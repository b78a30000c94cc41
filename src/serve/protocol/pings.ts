// The worker's pings, which tell the server that it runs and which jobs it holds.

import type { WorkerConnection } from "./delivery.ts";

const INTERVAL_MS = 10_000;
/** A shorter interval would only load the server. */
const MIN_INTERVAL_MS = 1_000;

/** Pings at once and then every `RUNPOD_PING_INTERVAL` milliseconds, until `signal` aborts. */
export async function sendPings(
  { environment, http, addresses, log }: WorkerConnection,
  jobIds: () => string[],
  signal: AbortSignal,
): Promise<void> {
  if (!addresses.ping) return log.warn("RUNPOD_WEBHOOK_PING is not set: no pings");
  const requestedMs = Number(environment.env.RUNPOD_PING_INTERVAL || INTERVAL_MS);
  const intervalMs = Math.max(
    MIN_INTERVAL_MS,
    Number.isFinite(requestedMs) ? requestedMs : INTERVAL_MS,
  );
  let lastFailure = "";
  while (!signal.aborted) {
    const address = addresses.ping(jobIds());
    const failure = await http
      .call({ method: "GET", address, idleMs: 2 * intervalMs, signal })
      .then(({ status }) => (status < 300 ? "" : `HTTP ${status}`), String);
    if (failure && failure !== lastFailure && !signal.aborted) log.warn(`ping: ${failure}`);
    lastFailure = failure;
    await environment.sleep(intervalMs, signal);
  }
}
