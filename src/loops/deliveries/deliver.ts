// Sends deliveries: a few tries for each, every try recorded. A try that was sent but not recorded,
// because the process died, is sent again under the same message id.

import { type Clock, pause } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { ReachRule } from "../../domain/webhook/address.ts";
import type { Delivery, DeliverySubject } from "../../domain/webhook/delivery.ts";
import { type AfterTry, afterTry, type TryOutcome } from "../../domain/webhook/next-try.ts";
import { isStoreUnavailable } from "../../flows/store-unavailable.ts";
import {
  isStillWaiting,
  type RecordedTry,
  waitingDeliveries,
} from "../../store/delivery/delivery.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Loop } from "../engine/loop.ts";
import { Lanes } from "./lanes.ts";

export interface DeliverDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  protocol: Pick<Protocol, "webhookTimeoutMs" | "webhookBackoffMs">;
  reach: ReachRule;
  /** Makes every attempt, if something takes part in them. */
  around?: AroundAttempt;
}

export type AroundAttempt = (
  attempt: () => Promise<DeliveryAttempt>,
  delivery: Delivery,
  signal: AbortSignal,
) => Promise<DeliveryAttempt>;

/** What a try came to; `final` if another one cannot come to anything else. */
export type DeliveryAttempt = TryOutcome & { final?: true };

/** The deliveries of one kind of subject. */
export interface DeliverySource {
  name: string;
  subject: DeliverySubject;
  /** Makes one try. May return anything once the signal is aborted. */
  attempt(delivery: Delivery, signal: AbortSignal): Promise<DeliveryAttempt>;
  record(delivery: Delivery, outcome: RecordedTry, after: AfterTry): Tx<void>;
}

const MAX_CONCURRENT = 128;
const MAX_PER_LANE = 16;
/** How long a stopping service waits for answers; a delivery without one is sent again. */
const GRACE_MS = 1_000;
/** How long to wait before a try is recorded again. */
const RECORD_AGAIN_MS = 1_000;

export function deliverLoop(deps: DeliverDeps, source: DeliverySource): Loop {
  const { store, clock } = deps;
  const wake = () => store.notifier.notify(topic.deliveries);
  const lanes = new Lanes(MAX_CONCURRENT, MAX_PER_LANE, wake);
  const stopped = new AbortController();
  return {
    name: source.name,
    shared: true,
    periodMs: 2_000,
    restMs: 5,
    topics: [topic.deliveries],
    async run() {
      // Deliveries on their way are still waiting in the store, so twice as many are read.
      const limit = 2 * MAX_PER_LANE;
      const { subject } = source;
      const { due, nextAt } = await store.read(waitingDeliveries, subject, clock.now(), limit);
      for (const delivery of due) {
        const id = `${delivery.subjectSeq}/${delivery.n}`;
        lanes.run(delivery.laneId, id, () => deliver(deps, source, delivery, stopped.signal));
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
async function deliver(
  deps: DeliverDeps,
  source: DeliverySource,
  delivery: Delivery,
  stopped: AbortSignal,
) {
  const { store, clock, log, protocol } = deps;
  try {
    // A try that ended while the loop was reading has left its lane, but is still in what was read.
    if (!(await store.read(isStillWaiting, delivery))) return;
    const [at, startedTicks] = [clock.now(), clock.ticks()];
    const attempt = () => source.attempt(delivery, stopped);
    const outcome = await (deps.around?.(attempt, delivery, stopped) ?? attempt());
    // Where the service stopped before there was an outcome, the try is made again.
    if (outcome.status === null && !outcome.final && stopped.aborted) return;
    const now = clock.now();
    const after: AfterTry = outcome.final
      ? { state: "failed", nextAt: null }
      : afterTry(delivery.tries + 1, outcome, protocol.webhookBackoffMs, now);
    const { status, error } = outcome;
    const recorded = { status, error, at, tookMs: Math.round(clock.ticks() - startedTicks) };
    const write = () => store.write(source.record, delivery, recorded, after);
    await untilRecorded(deps, delivery, write, stopped);
  } catch (error) {
    // The loop itself reports an unavailable store.
    if (!isStoreUnavailable(error)) {
      log.error({ err: error, delivery: delivery.message }, "webhook could not be prepared");
    }
    await pause(clock, RECORD_AGAIN_MS, stopped);
  }
}

/** Records a try before the next one may be sent, waiting for an unavailable store. */
async function untilRecorded(
  { clock, log }: DeliverDeps,
  delivery: Delivery,
  write: () => Promise<void>,
  stopped: AbortSignal,
): Promise<void> {
  let isLogged = false;
  do {
    try {
      return await write();
    } catch (error) {
      const fields = { err: error, delivery: delivery.message };
      if (!isLogged) log.error(fields, "webhook try is not recorded yet; retrying");
      isLogged = true;
      await pause(clock, RECORD_AGAIN_MS, stopped);
    }
  } while (!stopped.aborted);
}
