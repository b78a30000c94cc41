// What a GPU reported while a job ran on it, as it is explained to the job's user. Pure.

import { adviceText, errorKindOf, errorName } from "./gpu-error.ts";
import type { GpuHealth } from "./health-record.ts";

/** A worker's time with a job; `endedAt` is null while it has the job. */
interface Attempt {
  workerId: string;
  takenAt: number;
  endedAt: number | null;
}

/** A program's end may be known before the error that the kernel log has of it. */
const LATE_MS = 5_000;

/** One sentence for each error of a GPU during one of the attempts. */
export function gpuErrorTexts(
  { errors = {} }: GpuHealth,
  numbers: Readonly<Record<string, number>>,
  attempts: readonly Attempt[],
): string[] {
  return Object.entries(errors).flatMap(([uuid, recorded]) =>
    recorded
      .filter(({ code }) => !["count", "reading"].includes(errorKindOf(code).effect))
      .filter(({ workload, firstAt, lastAt }) =>
        attempts.some(({ workerId, takenAt, endedAt }) => {
          const until = endedAt === null ? Number.POSITIVE_INFINITY : endedAt + LATE_MS;
          return workerId === workload && lastAt >= takenAt && firstAt <= until;
        }),
      )
      .map(({ code, workload, lastAt }) => {
        const { text } = errorKindOf(code);
        const gpu = numbers[uuid] === undefined ? `GPU ${uuid}` : `GPU ${numbers[uuid]}`;
        const at = new Date(lastAt).toISOString();
        return `${gpu} of worker ${workload} reported ${errorName(code)} at ${at}: ${text}. ${adviceText(code)}.`;
      }),
  );
}
