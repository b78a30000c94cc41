// What a handler is given, what it may give back, and what `serve` may be told. Types only.

import type { Log } from "./log.ts";

/** One job, as the server sent it: `id` and `input` always, whatever else the server adds too. */
export interface Job<Input = unknown> {
  id: string;
  input: Input;
  /**
   * The JSON text that `input` was read from. JSON.parse rounds integers beyond 2^53; a handler
   * that needs them exactly reads this text with a parser of its own.
   */
  readonly rawInput: string;
  [extra: string]: unknown;
}

/** What a handler may use while it runs one job. */
export interface Context {
  /** Aborts when the job is cancelled or runs out of time, and when a shutdown will wait no more. */
  signal: AbortSignal;
  /**
   * Shows `value` as the output of the running job. Resolves once it was sent, never rejects; of
   * several values that wait for their turn only the newest is sent.
   */
  progress(value: unknown): Promise<void>;
  /** Writes a log line that carries the job's id. */
  log: Log;
}

/** What a handler returns: the output, a promise of it, or a generator whose yields are streamed. */
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
  /** Jobs run at a time: a number (1), or a function of the present number, asked before every take. */
  concurrency?: number | ((current: number) => number);
  /** Ask for a fresh worker after every job, and end this one. */
  refreshWorker?: boolean;
  /** Let a generator's final result be the list of all it yielded, instead of an empty list. */
  returnAggregateStream?: boolean;
  /** How long running jobs may go on after SIGTERM before their signal aborts. No limit by default. */
  drainMs?: number;
  /** Ends the worker when it aborts, as SIGTERM would; with it, `serve` leaves process signals alone. */
  signal?: AbortSignal;
}
