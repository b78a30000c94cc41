// Serverless workers in TypeScript: hand `serve` a function and it becomes a worker of whatever
// endpoint started the process, on Freehold and on any platform with the same worker protocol.

import type { ServeOptions } from "./handler.ts";
import { start } from "./start.ts";
import { realWorld } from "./world.ts";

export type { Context, Handler, Job, Returned, ServeOptions } from "./handler.ts";
export type { Log } from "./log.ts";

/**
 * Takes jobs and runs the handler on each, until SIGTERM or SIGINT; then lets the running ones
 * finish and resolves. A second SIGINT aborts their signals, a third ends the process. Without a
 * server to take jobs from (no RUNPOD_WEBHOOK_GET_JOB), or with `--test_input`, runs one test job,
 * prints its result and sets the exit code to 0 or 1.
 *
 * Rejects where the environment holds half of what a worker needs.
 */
export function serve<Input = unknown, Output = unknown>(
  options: ServeOptions<Input, Output>,
): Promise<void> {
  return start(realWorld, options);
}
