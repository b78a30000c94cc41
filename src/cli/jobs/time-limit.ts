// --timeout of the commands that wait.

import type { Command as Program } from "commander";
import { systemClock } from "../../base/clock.ts";
import { UsageError } from "../../base/refusal.ts";

export function addTimeout(program: Program): Program {
  return program.option("--timeout <seconds>", "stop waiting after this time, with exit code 124");
}

/** The ticks of the system clock at which the command stops waiting, or null. */
export function deadlineOf(seconds: string | undefined): number | null {
  if (seconds === undefined) return null;
  const number = Number(seconds);
  if (!(seconds.trim() !== "" && number >= 0 && number < 1e9))
    throw new UsageError(`--timeout is "${seconds}"; it takes a number of seconds`);
  return systemClock.ticks() + number * 1_000;
}
