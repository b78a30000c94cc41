// Meters a worker: it is billed by the second while it runs, including start and idle time.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findMeteredWorker, lockLiveWorkers } from "../../store/worker/metered.ts";
import { attribute, endMeter, meter } from "../money/meter.ts";

const SECOND_MS = 1_000;

export function* meterWorker(id: string, at: number): Tx<void> {
  const worker = yield* findMeteredWorker(id);
  if (!worker) return;
  const subject = { ...worker, kind: "worker" as const, resourceId: id, running: true };
  yield* meter({ ...subject, volumeType: "", diskGb: 0, diskRate: 0 }, at);
}

export function* endWorkerMeter(id: string, at: number): Tx<void> {
  yield* endMeter(id, at, SECOND_MS);
}

/** Records that the endpoint of these workers has other labels or another owner since `at`. */
export function* attributeWorkers({ id, owner, labels }: Endpoint, at: number): Tx<void> {
  for (const workerId of yield* lockLiveWorkers(id)) {
    yield* attribute(workerId, { ownerId: owner?.id ?? null, labels }, at);
  }
}
