// Deletes what is past its retention: jobs, answers under an Idempotency-Key, unbound payloads, ended
// workers, old releases, minutes, loads of machines, reservations, invitations, sessions, device logins, audit entries, notifications, batches and concurrency
// keys without jobs.

import type { Clock } from "../../base/clock.ts";
import { DAY_MS, HOUR_MS } from "../../base/units.ts";
import { BATCH_KEEP_MS } from "../../domain/batch/batch.ts";
import { DEVICE_LOGIN_KEPT_MS } from "../../domain/device-login.ts";
import { HISTORY_KEPT_MS } from "../../domain/endpoint/history.ts";
import { KEPT_RELEASES } from "../../domain/endpoint/release.ts";
import { LOAD_KEPT_MS } from "../../domain/machine/load/load-history.ts";
import { NOTIFICATION_KEPT_MS } from "../../domain/notification/notification.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { CANCELLATION_KEPT_MS, RESERVATION_KEPT_MS } from "../../domain/reservation/reservation.ts";
import type { Store } from "../../store/engine/store.ts";
import type { ConcurrencyKey } from "../../store/job/schedule/concurrency.ts";
import { forgetBatches } from "../../transactions/batch/finish.ts";
import { forgetReleases } from "../../transactions/endpoint/forget-releases.ts";
import { forgetEnded } from "../../transactions/job/forget.ts";
import { forgetKeys } from "../../transactions/job/schedule/forget-keys.ts";
import { forgetNotifications } from "../../transactions/notification/forget.ts";
import {
  forgetContent,
  forgetRecords,
  forgetSignIns,
} from "../../transactions/retention/forget.ts";
import { forgetWorkers } from "../../transactions/worker/forget.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

/** Small transactions, so that requests are hardly delayed. */
const MAX_JOBS_PER_TRANSACTION = 100;
const MAX_ENTRIES_PER_TRANSACTION = 500;
const MAX_WORKERS_PER_TRANSACTION = 20;
const MAX_BATCHES_PER_TRANSACTION = 20;
const MAX_NOTIFICATIONS_PER_TRANSACTION = 20;
const MAX_RELEASES_PER_TRANSACTION = 200;
const MAX_KEYS_PER_TRANSACTION = 200;
/** Longer than an upload may take. */
const UPLOAD_MS = HOUR_MS;
const WORKERS_KEPT_MS = DAY_MS;
/** A year and a month, to compare with a year ago. */
const GPU_TIMES_KEPT_MS = 396 * DAY_MS;

export interface SweepDeps {
  store: Store;
  clock: Clock;
  protocol: Pick<Protocol, "auditKeepMs">;
}

export function sweepLoop({ store, clock, protocol }: SweepDeps): Loop {
  /** Where the next pass goes on; a pass reads only a part of the keys. */
  let lastKey: ConcurrencyKey | null = null;
  return {
    name: "sweep",
    shared: true,
    periodMs: 2_000,
    restMs: 20,
    topics: [],
    async run() {
      const now = clock.now();
      const each = new Each();
      const jobs = await each.try(() => store.write(forgetEnded, now, MAX_JOBS_PER_TRANSACTION));
      const expired = {
        answers: now,
        minutes: now - HISTORY_KEPT_MS,
        entries: now - protocol.auditKeepMs,
        gpuTimes: now - GPU_TIMES_KEPT_MS,
        reservations: now - RESERVATION_KEPT_MS,
        cancellations: now - CANCELLATION_KEPT_MS,
        loads: now - LOAD_KEPT_MS,
      };
      const oldMessages = now - NOTIFICATION_KEPT_MS;
      const oldWorkers = now - WORKERS_KEPT_MS;
      for (const forget of [
        () => store.write(forgetRecords, expired, MAX_ENTRIES_PER_TRANSACTION),
        () => store.write(forgetSignIns, now, now - DEVICE_LOGIN_KEPT_MS),
        () => store.write(forgetNotifications, oldMessages, MAX_NOTIFICATIONS_PER_TRANSACTION),
        () => store.write(forgetBatches, now - BATCH_KEEP_MS, MAX_BATCHES_PER_TRANSACTION),
        () => store.write(forgetContent, now - UPLOAD_MS),
        () => store.write(forgetWorkers, oldWorkers, MAX_WORKERS_PER_TRANSACTION),
        () => store.write(forgetReleases, KEPT_RELEASES, MAX_RELEASES_PER_TRANSACTION),
      ]) {
        await each.try<unknown>(forget);
      }
      const keys = await store.write(forgetKeys, lastKey, MAX_KEYS_PER_TRANSACTION, now);
      lastKey = keys.next;
      const isBusy = jobs === MAX_JOBS_PER_TRANSACTION || keys.count > MAX_KEYS_PER_TRANSACTION / 2;
      return each.end(isBusy ? now : null);
    },
  };
}
