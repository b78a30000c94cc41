// The pulse: while it comes, the server knows that this worker lives and which jobs it holds.

import type { Route } from "./delivery.ts";

const INTERVAL_MS = 10_000;
/** A shorter interval would load the server and say nothing more. */
const SHORTEST_MS = 1_000;

/** Pings at once and then every `RUNPOD_PING_INTERVAL` milliseconds, until `signal` aborts. */
export async function ping(
  { world, http, addresses, log }: Route,
  heldIds: () => string[],
  signal: AbortSignal,
): Promise<void> {
  if (!addresses.ping) return log.warn("RUNPOD_WEBHOOK_PING is not set: no pings");
  const asked = Number(world.env.RUNPOD_PING_INTERVAL || INTERVAL_MS);
  const intervalMs = Math.max(SHORTEST_MS, Number.isFinite(asked) ? asked : INTERVAL_MS);
  let complaint = "";
  while (!signal.aborted) {
    const address = addresses.ping(heldIds());
    const failure = await http
      .call({ method: "GET", address, idleMs: 2 * intervalMs, signal })
      .then(({ status }) => (status < 300 ? "" : `HTTP ${status}`), String);
    if (failure && failure !== complaint && !signal.aborted) log.warn(`ping: ${failure}`);
    complaint = failure;
    await world.sleep(intervalMs, signal);
  }
}
