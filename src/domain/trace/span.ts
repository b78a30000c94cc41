// A span: one timed part of a trace. A span of a job or a worker has an id that is derived from what it stands
// for, so that any replica can name it, also after a restart, and nothing is stored for it.

import { hash } from "node:crypto";
import type { TraceContext } from "./trace-context.ts";

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";
export type SpanAttributes = Record<string, string | number | boolean>;

export interface Span {
  name: string;
  kind: SpanKind;
  /** Its own ids; its state is that of the trace. */
  context: TraceContext;
  /** Null for the first span of a trace. */
  parentSpanId: string | null;
  startMs: number;
  endMs: number;
  attributes: SpanAttributes;
  /** Spans of other traces that it waited for. */
  links: Pick<TraceContext, "traceId" | "spanId">[];
  /** Why it failed; null if it did not. */
  error: SpanError | null;
}

interface SpanError {
  /** One of few words, for statistics. */
  type: string;
  message: string;
}

/** Records spans. There is none where tracing is off. */
export interface Tracer {
  /** The context of a new span below `parent`, or of a new trace; the sampler decides whether it is recorded. */
  begin(parent: TraceContext | null): TraceContext;
  /** Whether a trace that begins with this id is recorded. */
  samples(traceId: string): boolean;
  /** Takes a span; one of a trace that is not sampled is dropped. Never throws and never waits. */
  record(span: Span): void;
}

export const spanIdOf = (...names: (string | number)[]): string =>
  hash("sha256", names.join(" ")).slice(0, 16);

export const traceIdOf = (...names: (string | number)[]): string =>
  hash("sha256", names.join(" ")).slice(0, 32);

/** The context of the same trace with another span as the parent of what follows. */
export const below = (context: TraceContext, spanId: string): TraceContext => ({
  ...context,
  spanId,
});

const MAX_MESSAGE_CHARS = 1_000;

export function spanError(type: string, message: string): SpanError {
  const [line = ""] = message.split("\n");
  return { type, message: line.slice(0, MAX_MESSAGE_CHARS) };
}
