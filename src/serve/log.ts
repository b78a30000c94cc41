// Log lines. Inside an endpoint each is one JSON object on standard output, in the form that log
// collectors of this protocol read; elsewhere it is plain text on standard error, so that standard
// output holds nothing but a test's result.

import type { World } from "./world.ts";

/** Writes lines at four levels; `RUNPOD_LOG_LEVEL` (default INFO) says which are kept. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const levels = ["NOTSET", "DEBUG", "INFO", "WARN", "ERROR"];

/** A log whose lines carry the id of a job, or none. */
export function logFor(world: World, jobId: string | null): Log {
  const least = leastLevel(world.env.RUNPOD_LOG_LEVEL ?? world.env.RUNPOD_DEBUG_LEVEL);
  const write = (level: string) => (message: string) => {
    if (levels.indexOf(level) < least) return;
    if (world.env.RUNPOD_ENDPOINT_ID) {
      world.print(JSON.stringify({ requestId: jobId, message, level }));
    } else {
      world.complain(`${level.padEnd(5)} | ${jobId === null ? "" : `${jobId} | `}${message}`);
    }
  };
  return {
    debug: write("DEBUG"),
    info: write("INFO"),
    warn: write("WARN"),
    error: write("ERROR"),
  };
}

/** The index of the level asked for by name or by number; a word it does not know is INFO. */
function leastLevel(asked: string | undefined): number {
  const name = asked?.trim().toUpperCase() ?? "";
  const index = /^[0-4]$/.test(name) ? Number(name) : levels.indexOf(name);
  return index === -1 ? levels.indexOf("INFO") : index;
}
