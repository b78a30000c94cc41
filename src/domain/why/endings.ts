// Phrases for how workers ended.

import type { WorkerEnding } from "./answer.ts";

type Exit = Pick<WorkerEnding, "exitCode" | "signal">;

/** The next step for a container that does not end. */
export const RESTART_ENGINE =
  "Ask the machine's operator to restart its container engine, or the machine.";

/** After a word for a workload. */
export const waitsForEngine = (machine: string) =>
  `waits for the container engine of machine ${machine}, which does not answer`;

/** "with exit code 1", "by SIGKILL", "in an unknown way" */
export function exitText({ exitCode, signal }: Exit): string {
  if (signal !== null) return `by ${signal}`;
  return exitCode === null ? "in an unknown way" : `with exit code ${exitCode}`;
}

/** "the last 3 workers ended with exit code 1 (no such file) before they finished a job." */
export function lastEndings(
  ends: readonly WorkerEnding[],
  cause: string | null,
): { text: string; alike: number } {
  const [last] = ends;
  if (!last) return { text: "workers ended before they finished a job.", alike: 0 };
  const how = exitText(last);
  const other = ends.findIndex((each) => exitText(each) !== how);
  const alike = other === -1 ? ends.length : other;
  const who = alike === 1 ? `worker ${last.workerId}` : `the last ${alike} workers`;
  const why = cause === null ? "" : ` (${cause})`;
  const they = alike === 1 ? "it" : "they";
  return { text: `${who} ended ${how}${why} before ${they} finished a job.`, alike };
}

/** The usual meaning of a signal or exit code. */
export function usualMeaning({ exitCode, signal }: Exit): string | null {
  if (signal === "SIGKILL" || exitCode === 137)
    return "This usually means that the machine ran out of memory.";
  if (exitCode === 126) return "The start command cannot be executed.";
  if (exitCode === 127) return "The start command was not found.";
  return null;
}
