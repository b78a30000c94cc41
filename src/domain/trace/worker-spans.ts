// The spans of a worker's cold start: a trace of its own, because no single job causes it. The jobs that waited
// for the worker link to it.

import { type Span, type SpanAttributes, spanError, spanIdOf, traceIdOf } from "./span.ts";
import type { TraceContext } from "./trace-context.ts";

/** The first span of the cold start's trace. Both ids are derived, so that a link needs no query. */
export const coldStartOf = (workerId: string): Pick<TraceContext, "traceId" | "spanId"> => ({
  traceId: traceIdOf("trace of cold start", workerId),
  spanId: spanIdOf("cold start", workerId),
});

export const coldStartContext = (workerId: string, sampled: boolean): TraceContext => ({
  ...coldStartOf(workerId),
  sampled,
  random: false,
  state: null,
});

export interface StartedWorker {
  id: string;
  endpointId: string;
  machine: string;
  driver: string;
  createdAt: number;
  /** When its container or process ran; null if it never did. */
  startedAt: number | null;
}

/**
 * The cold start, and its two parts: until the container runs (the image, the models, the container), and until
 * the worker asks for a job (imports, loading a model). `failure` says why it ended before that.
 */
export function coldStartSpans(
  worker: StartedWorker,
  context: TraceContext,
  { endMs, failure }: { endMs: number; failure: string | null },
): Span[] {
  const attributes: SpanAttributes = {
    "freehold.endpoint.id": worker.endpointId,
    "freehold.worker.id": worker.id,
    "freehold.machine.id": worker.machine,
    "freehold.driver": worker.driver,
  };
  const error = failure === null ? null : spanError("not_ready", failure);
  const shared = { kind: "internal" as const, attributes, links: [] };
  const part = (name: string, startMs: number, partEndMs: number): Span => ({
    ...{ ...shared, name, startMs, endMs: partEndMs, parentSpanId: context.spanId },
    context: { ...context, spanId: spanIdOf(name, worker.id) },
    error: partEndMs === endMs ? error : null,
  });
  // A poll may be recorded before the start is observed.
  const runsAt = Math.min(worker.startedAt ?? endMs, endMs);
  return [
    {
      ...{ ...shared, name: `cold start ${worker.endpointId}`, context, parentSpanId: null },
      ...{ startMs: worker.createdAt, endMs, error },
    },
    part("start container", worker.createdAt, runsAt),
    ...(runsAt < endMs ? [part("start worker", runsAt, endMs)] : []),
  ];
}
