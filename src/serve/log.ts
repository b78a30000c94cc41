// The worker's log. In an endpoint each line is a JSON object on standard output, in the form that log
// collectors of this protocol read; elsewhere it is plain text on standard error, so that standard
// output holds only the result of a test job.

import type { Environment } from "./environment.ts";

/** Writes lines at four levels; `RUNPOD_LOG_LEVEL` (default INFO) sets the lowest that is written. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const levels = ["NOTSET", "DEBUG", "INFO", "WARN", "ERROR"];

/** A log whose lines have a job's id, or none. */
export function logFor(environment: Environment, jobId: string | null): Log {
  const min = minLevel(environment.env.RUNPOD_LOG_LEVEL ?? environment.env.RUNPOD_DEBUG_LEVEL);
  const write = (level: string) => (message: string) => {
    if (levels.indexOf(level) < min) return;
    if (environment.env.RUNPOD_ENDPOINT_ID) {
      environment.print(JSON.stringify({ requestId: jobId, message, level }));
    } else {
      environment.printError(
        `${level.padEnd(5)} | ${jobId === null ? "" : `${jobId} | `}${message}`,
      );
    }
  };
  return {
    debug: write("DEBUG"),
    info: write("INFO"),
    warn: write("WARN"),
    error: write("ERROR"),
  };
}

/** The index of a level given by name or by number; INFO for an unknown one. */
function minLevel(setting: string | undefined): number {
  const name = setting?.trim().toUpperCase() ?? "";
  const index = /^[0-4]$/.test(name) ? Number(name) : levels.indexOf(name);
  return index === -1 ? levels.indexOf("INFO") : index;
}
