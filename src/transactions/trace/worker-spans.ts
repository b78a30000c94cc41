// The spans that a commit ends of a worker: its cold start, once it is ready or has ended before that.

import type { StartedWorker } from "../../domain/spans/worker-spans.ts";
import { coldStartContext, coldStartOf, coldStartSpans } from "../../domain/spans/worker-spans.ts";
import { endSpans, type Tx } from "../../store/engine/statement.ts";
import { failedStart, setReady } from "../../store/worker/start.ts";

/** Records that the worker is ready, if it was not before. */
export function* endColdStart(id: string, kind: "queue" | "serving", now: number): Tx<void> {
  const worker = yield* setReady(id, now, kind);
  if (worker) yield* endStart(worker, null, now);
}

export function* endFailedStart(id: string, failure: string, now: number): Tx<void> {
  const worker = yield* failedStart(id);
  if (worker) yield* endStart(worker, failure, now);
}

function* endStart(worker: StartedWorker, failure: string | null, now: number): Tx<void> {
  yield* endSpans((tracer) => {
    const sampled = tracer.samples(coldStartOf(worker.id).traceId);
    const context = coldStartContext(worker.id, sampled);
    return sampled ? coldStartSpans(worker, context, { endMs: now, failure }) : [];
  });
}
