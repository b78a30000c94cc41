// Meters a worker: it is billed by the second while it runs, including start and idle time.

import type { Tx } from "../../store/engine/statement.ts";
import { findMeteredWorker } from "../../store/worker/metered.ts";
import { endMeter, meter } from "../money/meter.ts";

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
