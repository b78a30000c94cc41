// The types of the worker library: job, context, handler and options.

import type { Log } from "./log.ts";

/** One job as the server sent it: `id`, `input` and any other members that the server adds. */
export interface Job<Input = unknown> {
  id: string;
  input: Input;
  /**
   * The JSON text of `input`. JSON.parse rounds integers beyond 2^53; a handler that needs exact
   * values parses this text itself.
   */
  readonly rawInput: string;
  [extra: string]: unknown;
}

/** The W3C trace context of a job, as the server sent it. */
export interface TraceFields {
  traceparent: string;
  tracestate?: string;
}

/** The context of one job, for its handler. */
export interface Context {
  /** Aborts when the job is cancelled or times out, and when the grace period of a shutdown ends. */
  signal: AbortSignal;
  /**
   * Shows `value` as the output of the running job. Resolves once it is sent, never rejects; of
   * several waiting values only the newest is sent.
   */
  progress(value: unknown): Promise<void>;
  /** Writes log lines with the job's id. */
  log: Log;
  /**
   * The trace that the job belongs to; null for none. It is a carrier for OpenTelemetry:
   * `propagation.extract(context.active(), trace)`.
   */
  trace: TraceFields | null;
}

/** The return value of a handler: the output, a promise of it, or a generator whose yields are streamed. */
export type Returned<Output> =
  | Output
  | Promise<Output>
  | Generator<Output, void>
  | AsyncGenerator<Output, void>
  | AsyncIterable<Output>;

export type Handler<Input = unknown, Output = unknown> = (
  job: Job<Input>,
  context: Context,
) => Returned<Output>;

export interface ServeOptions<Input = unknown, Output = unknown> {
  handler: Handler<Input, Output>;
  /** Jobs run at a time: a number (default 1), or a function of the current number, called before every take. */
  concurrency?: number | ((current: number) => number);
  /** Requests a new worker after every job and ends this one. */
  refreshWorker?: boolean;
  /** Makes a generator's final result the list of all yielded values, instead of an empty list. */
  returnAggregateStream?: boolean;
  /** How long running jobs may continue after SIGTERM before their signal aborts. No limit by default. */
  drainMs?: number;
  /** Ends the worker when it aborts, as SIGTERM does; with it, `serve` does not handle process signals. */
  signal?: AbortSignal;
}
