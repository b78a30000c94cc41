// The spans of a worker's cold start: a trace of its own, because no single job causes it. The jobs that waited
// for the worker link to it.

import { type Span, type SpanAttributes, spanError, spanIdOf, traceIdOf } from "../trace/span.ts";
import type { TraceContext } from "../trace/trace-context.ts";
import { coldStartParts, type StartInstants, type StartPart } from "../worker/cold-start.ts";

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

export interface StartedWorker extends StartInstants {
  id: string;
  endpointId: string;
  machine: string;
  driver: string;
}

const spanNames: Record<StartPart, string> = {
  scheduling: "schedule worker",
  models: "download models",
  image_pull: "pull image",
  image_check: "check image",
  container: "start container",
  program: "start worker",
  import: "import handler",
  first_poll: "poll first",
};

/** The cold start and its parts. `failure` says why it ended before the worker was ready. */
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
  const parts = coldStartParts(worker, { endedAt: endMs });
  const partSpans = parts.map(({ part, from, to }, n): Span => {
    const name = spanNames[part];
    return {
      ...shared,
      name,
      parentSpanId: context.spanId,
      startMs: from,
      endMs: to ?? endMs,
      context: { ...context, spanId: spanIdOf(name, worker.id) },
      error: n === parts.length - 1 ? error : null,
    };
  });
  return [
    {
      ...shared,
      name: `cold start ${worker.endpointId}`,
      context,
      parentSpanId: null,
      startMs: worker.createdAt,
      endMs,
      error,
    },
    ...partSpans,
  ];
}
