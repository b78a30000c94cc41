// Tells webhooks that a job has ended: each delivery up to three times, every try recorded. A try
// that was sent and not recorded, because the process died, is sent again under the same id.

import type { FastifyBaseLogger } from "fastify";
import { type Clock, pause } from "../base/clock.ts";
import { isTerminal } from "../domain/job/moves.ts";
import type { Protocol } from "../domain/protocol.ts";
import { type AfterTry, afterTry, type TryOutcome } from "../domain/webhook/next-try.ts";
import { isStoreAway } from "../flows/store-away.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import {
  type DeliveryRow,
  deliveredJob,
  recordTry,
  stillWaiting,
  waitingDeliveries,
} from "../store/webhook/delivery.ts";
import { Lanes } from "./deliver/lanes.ts";
import { letterFor } from "./deliver/letter.ts";
import { post } from "./deliver/post.ts";
import type { ReachRule } from "./deliver/reach.ts";
import type { Loop } from "./loop.ts";

export interface DeliverDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  protocol: Protocol;
  reach: ReachRule;
}

const AT_A_TIME = 128;
const PER_ENDPOINT = 16;
/** How long a stopping service waits for answers; what has none by then is sent again. */
const GRACE_MS = 1_000;
/** How long to wait where the store refused to record a try. */
const RECORD_AGAIN_MS = 1_000;

export function deliverLoop(deps: DeliverDeps): Loop {
  const { store, clock } = deps;
  const lanes = new Lanes(AT_A_TIME, PER_ENDPOINT, () => store.wakes.ring(topic.deliveries));
  const stopped = new AbortController();
  return {
    name: "deliver",
    shared: true,
    periodMs: 2_000,
    restMs: 5,
    topics: [topic.deliveries],
    async turn() {
      // Those under way are still waiting in the store, so twice as many are looked at.
      const look = await store.read(waitingDeliveries, clock.now(), 2 * PER_ENDPOINT);
      for (const delivery of look.due) {
        const id = `${delivery.job_seq}/${delivery.n}`;
        lanes.run(delivery.endpoint_id, id, () => deliver(deps, delivery, stopped.signal));
      }
      return look.nextAt;
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

/** One try and its record. Never rejects. */
async function deliver(deps: DeliverDeps, delivery: DeliveryRow, stopped: AbortSignal) {
  const { store, clock, log, protocol } = deps;
  try {
    // A try that ended while the loop looked is in its lane no more, but the look does not know it.
    if (!(await store.read(stillWaiting, delivery))) return;
    const at = clock.now();
    const outcome = await attempt(deps, delivery, stopped);
    if (outcome === null) return;
    const now = clock.now();
    const after: AfterTry = outcome.pointless
      ? { state: "failed", nextAt: null }
      : afterTry(delivery.tries + 1, outcome, protocol.webhookBackoffMs, now);
    await record(deps, delivery, { ...outcome, at, tookMs: now - at }, after, stopped);
  } catch (error) {
    const words = "a webhook could not be prepared";
    // That the store is away, the loop itself says.
    if (!isStoreAway(error)) log.error({ err: error, delivery: delivery.message }, words);
    await pause(clock, RECORD_AGAIN_MS, stopped);
  }
}

/** Null where the service stopped before there was an outcome. */
async function attempt(
  { store, clock, protocol, reach }: DeliverDeps,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<(TryOutcome & { pointless?: true }) | null> {
  const job = await store.read(deliveredJob, delivery.job_seq);
  if (!job || !isTerminal(job.state) || delivery.created_at < job.finished_at!) {
    const error = "the job was retried before this could be delivered";
    return { status: null, error, pointless: true };
  }
  const letter = await letterFor(store, delivery, job, clock.now());
  const timeoutMs = protocol.webhookTimeoutMs;
  const outcome = await post(letter, { clock, timeoutMs, reach, signal });
  return outcome.status === null && signal.aborted ? null : outcome;
}

/** What was sent must be recorded before it may be sent again, also while the store is away. */
async function record(
  { store, clock, log }: DeliverDeps,
  delivery: DeliveryRow,
  outcome: Parameters<typeof recordTry>[1],
  after: AfterTry,
  stopped: AbortSignal,
): Promise<void> {
  let told = false;
  do {
    try {
      return await store.write(recordTry, delivery, outcome, after);
    } catch (error) {
      const words = "a webhook's try is not recorded yet";
      if (!told) log.error({ err: error, delivery: delivery.message }, words);
      told = true;
      await pause(clock, RECORD_AGAIN_MS, stopped);
    }
  } while (!stopped.aborted);
}
