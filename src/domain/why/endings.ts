// How workers ended, in words.

import type { WorkerEnding } from "./answer.ts";

type How = Pick<WorkerEnding, "exitCode" | "signal">;

/** "with exit code 1", "by SIGKILL", "without anybody knowing how" */
export function endedHow({ exitCode, signal }: How): string {
  if (signal !== null) return `by ${signal}`;
  return exitCode === null ? "without anybody knowing how" : `with exit code ${exitCode}`;
}

/** "the last 3 workers ended with exit code 1 (no such file) before they finished a job." */
export function lastEndings(
  ends: readonly WorkerEnding[],
  cause: string | null,
): { text: string; alike: number } {
  const [last] = ends;
  if (!last) return { text: "workers ended before they finished a job.", alike: 0 };
  const how = endedHow(last);
  const other = ends.findIndex((each) => endedHow(each) !== how);
  const alike = other === -1 ? ends.length : other;
  const who = alike === 1 ? `worker ${last.workerId}` : `the last ${alike} workers`;
  const why = cause === null ? "" : ` (${cause})`;
  const they = alike === 1 ? "it" : "they";
  return { text: `${who} ended ${how}${why} before ${they} finished a job.`, alike };
}

/** A signal or code that usually means one thing. */
export function usualMeaning({ exitCode, signal }: How): string | null {
  if (signal === "SIGKILL" || exitCode === 137) return "A machine that is out of memory does this.";
  if (exitCode === 126) return "The start command cannot be executed.";
  if (exitCode === 127) return "The start command was not found.";
  return null;
}
