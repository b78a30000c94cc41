// Calls webhooks when jobs end: up to three tries for each delivery, every try recorded. A try that was
// sent but not recorded, because the process died, is sent again under the same message id.

import { type Clock, pause } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { ReachRule } from "../../domain/webhook/address.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import { type AfterTry, afterTry, type TryOutcome } from "../../domain/webhook/next-try.ts";
import { isStoreUnavailable } from "../../flows/store-unavailable.ts";
import { isStillWaiting, recordTry, waitingDeliveries } from "../../store/delivery/delivery.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { findWebhookJob } from "../../store/job/find.ts";
import type { Loop } from "../engine/loop.ts";
import { Lanes } from "./deliver/lanes.ts";
import { post } from "./deliver/post.ts";
import { buildWebhookRequest } from "./deliver/webhook-request.ts";

export interface DeliverDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Protocol;
  reach: ReachRule;
}

const MAX_CONCURRENT = 128;
const MAX_PER_ENDPOINT = 16;
/** How long a stopping service waits for answers; a delivery without one is sent again. */
const GRACE_MS = 1_000;
/** How long to wait before a try is recorded again. */
const RECORD_AGAIN_MS = 1_000;

export function deliverLoop(deps: DeliverDeps): Loop {
  const { store, clock } = deps;
  const wake = () => store.notifier.notify(topic.deliveries);
  const lanes = new Lanes(MAX_CONCURRENT, MAX_PER_ENDPOINT, wake);
  const stopped = new AbortController();
  return {
    name: "deliver",
    shared: true,
    periodMs: 2_000,
    restMs: 5,
    topics: [topic.deliveries],
    async run() {
      // Deliveries on their way are still waiting in the store, so twice as many are read.
      const { due, nextAt } = await store.read(
        waitingDeliveries,
        clock.now(),
        2 * MAX_PER_ENDPOINT,
      );
      for (const delivery of due) {
        const id = `${delivery.jobSeq}/${delivery.n}`;
        lanes.run(delivery.endpointId, id, () => deliver(deps, delivery, stopped.signal));
      }
      return nextAt;
    },
    async finish() {
      const graced = new AbortController();
      const grace = pause(clock, GRACE_MS, graced.signal).then(() => stopped.abort());
      await lanes.empty();
      graced.abort();
      await grace;
    },
  };
}

/** Makes one try and records it. Never rejects. */
async function deliver(deps: DeliverDeps, delivery: Delivery, stopped: AbortSignal) {
  const { store, clock, log, protocol } = deps;
  try {
    // A try that ended while the loop was reading has left its lane, but is still in what was read.
    if (!(await store.read(isStillWaiting, delivery))) return;
    const at = clock.now();
    const outcome = await attempt(deps, delivery, stopped);
    if (outcome === null) return;
    const now = clock.now();
    const after: AfterTry = outcome.pointless
      ? { state: "failed", nextAt: null }
      : afterTry(delivery.tries + 1, outcome, protocol.webhookBackoffMs, now);
    await record(deps, delivery, { ...outcome, at, tookMs: now - at }, after, stopped);
  } catch (error) {
    // The loop itself reports an unavailable store.
    if (!isStoreUnavailable(error)) {
      log.error({ err: error, delivery: delivery.message }, "webhook could not be prepared");
    }
    await pause(clock, RECORD_AGAIN_MS, stopped);
  }
}

/** Null where the service stopped before there was an outcome. */
async function attempt(
  { store, clock, protocol, reach }: DeliverDeps,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<(TryOutcome & { pointless?: true }) | null> {
  const found = await store.read(findWebhookJob, delivery.jobSeq);
  if (!found || delivery.createdAt < found.job.finishedAt) {
    const error = "the job was retried before this could be delivered";
    return { status: null, error, pointless: true };
  }
  const webhookRequest = await buildWebhookRequest(store, delivery, found, clock.now());
  const timeoutMs = protocol.webhookTimeoutMs;
  const outcome = await post(webhookRequest, { clock, timeoutMs, reach, signal });
  return outcome.status === null && signal.aborted ? null : outcome;
}

/** Records a try before the next one may be sent, waiting for an unavailable store. */
async function record(
  { store, clock, log }: DeliverDeps,
  delivery: Delivery,
  outcome: Parameters<typeof recordTry>[1],
  after: AfterTry,
  stopped: AbortSignal,
): Promise<void> {
  let isLogged = false;
  do {
    try {
      return await store.write(recordTry, delivery, outcome, after);
    } catch (error) {
      const fields = { err: error, delivery: delivery.message };
      if (!isLogged) log.error(fields, "webhook try is not recorded yet; retrying");
      isLogged = true;
      await pause(clock, RECORD_AGAIN_MS, stopped);
    }
  } while (!stopped.aborted);
}
