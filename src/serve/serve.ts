// The public entry point of the worker library: `serve` makes a function a worker of the endpoint that
// started the process, on Freehold and on any platform with the same worker protocol.

import { processEnvironment } from "./environment.ts";
import type { ServeOptions } from "./handler.ts";
import { start } from "./start.ts";

export type { Context, Handler, Job, Returned, ServeOptions, TraceFields } from "./handler.ts";
export type { Log } from "./log.ts";

/**
 * Takes jobs and runs the handler on each until SIGTERM or SIGINT, then lets the running jobs finish
 * and resolves. A second SIGINT aborts their signals, a third ends the process. Without a server
 * (RUNPOD_WEBHOOK_GET_JOB is not set), or with `--test_input`, runs one test job, prints its result
 * and sets the exit code to 0 or 1.
 *
 * Rejects if the environment is incomplete.
 */
export function serve<Input = unknown, Output = unknown>(
  options: ServeOptions<Input, Output>,
): Promise<void> {
  return start(processEnvironment, options);
}
