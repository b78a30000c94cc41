// The tracer: OpenTelemetry's sampler, export queue and OTLP exporter. A span arrives complete, with its ids and its
// times, so the SDK's own tracer is not needed. This file is loaded only where tracing is on.

import {
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import { type Clock, Deadline, within } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { TracingConfig } from "../../config/tracing-config.ts";
import type { Span, Tracer } from "../../domain/trace/span.ts";
import type { TraceContext } from "../../domain/trace/trace-context.ts";

export interface OpenTracer extends Tracer {
  /** Sends the spans that are still queued, within a bound. */
  close(): Promise<void>;
}

interface TracerDeps {
  clock: Clock;
  log: Logger;
  /** The id of this replica's machine. */
  machine: string;
}

/** How long a stop of the service waits for the collector. */
const FLUSH_MS = 3_000;

export async function openTracer(
  config: TracingConfig,
  { clock, log, machine }: TracerDeps,
): Promise<OpenTracer> {
  const exporter = reportExports(await exporterOf(config), log);
  const processor = new BatchSpanProcessor({ exporter, ...defined(config.queue) });
  const sampler = samplerOf(config);
  const ids = new RandomIdGenerator();
  const resource = resourceOf(machine);
  const decide = (traceId: string, parent: TraceContext | null) => {
    const context = parent
      ? trace.setSpanContext(ROOT_CONTEXT, { ...spanContextOf(parent), isRemote: true })
      : ROOT_CONTEXT;
    const { decision } = sampler.shouldSample(context, traceId, "", SpanKind.SERVER, {}, []);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
  return {
    begin(parent) {
      const traceId = parent?.traceId ?? ids.generateTraceId();
      const sampled = decide(traceId, parent);
      const { random, state } = parent ?? { random: true, state: null };
      return { traceId, spanId: ids.generateSpanId(), sampled, random, state };
    },
    samples: (traceId) => decide(traceId, null),
    record: (span) => processor.onEnd(readableSpan(span, resource)),
    async close() {
      const flush = () => processor.shutdown().catch(() => {}); // reported already
      await within(new Deadline(clock, FLUSH_MS), flush);
    },
  };
}

async function exporterOf({ url, protocol }: TracingConfig): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter({ url });
}

/** What the operator sets in the environment takes precedence. */
function resourceOf(machine: string): Resource {
  const own = { "service.name": "freehold", "service.instance.id": machine };
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  return defaultResource().merge(resourceFromAttributes(own)).merge(detectResources({ detectors }));
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

const SCOPE = { name: "freehold" };

function readableSpan(span: Span, resource: Resource): ReadableSpan {
  const { name, kind, context, parentSpanId, startMs, endMs, attributes, links, error } = span;
  const spanContext = spanContextOf(context);
  return {
    name,
    kind: kinds[kind],
    spanContext: () => spanContext,
    resource,
    ...(parentSpanId !== null && {
      parentSpanContext: { ...spanContext, spanId: parentSpanId },
    }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(Math.max(0, endMs - startMs)),
    ended: true,
    attributes: error ? { ...attributes, "error.type": error.type } : attributes,
    status: error
      ? { code: SpanStatusCode.ERROR, message: error.message }
      : { code: SpanStatusCode.UNSET },
    links: links.map((link) => ({ context: { ...link, traceFlags: TraceFlags.SAMPLED } })),
    events: [],
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function spanContextOf({ traceId, spanId, sampled, state }: TraceContext): SpanContext {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return {
    traceId,
    spanId,
    traceFlags,
    ...(state !== null && { traceState: createTraceState(state) }),
  };
}

/** Seconds and nanoseconds. */
const hrTime = (ms: number): [number, number] => {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
};

const defined = (options: TracingConfig["queue"]) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

/**
 * Logs when spans cannot be exported, and when they can be again: two lines for an outage of any length. Spans
 * that cannot be exported are dropped, and nothing else notices.
 */
function reportExports(exporter: SpanExporter, log: Logger): SpanExporter {
  let dropped = 0;
  const report = (spans: number, { code, error }: Result) => {
    if (code === 0 && dropped > 0) {
      log.warn({ dropped }, "spans are exported again");
      dropped = 0;
    } else if (code !== 0) {
      if (dropped === 0) log.warn({ err: error }, "spans could not be exported and are dropped");
      dropped += spans;
    }
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        report(spans.length, result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** The sampler by its name in OTEL_TRACES_SAMPLER. */
function samplerOf({ sampler, ratio }: Pick<TracingConfig, "sampler" | "ratio">): Sampler {
  const name = sampler.replace("parentbased_", "");
  const root =
    name === "traceidratio"
      ? new TraceIdRatioBasedSampler(ratio)
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return name === sampler ? root : new ParentBasedSampler({ root });
}
