// How far a client has read the output of a job.

import type { Job } from "../../../domain/job/job.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { moveCursor } from "../../../store/job/output.ts";

/** The next read begins at the chunk `to`, unless the job has begun another attempt since `read`. */
export function* moveReadCursor(
  read: Pick<Job, "seq" | "attempts" | "workerId">,
  to: number,
): Tx<void> {
  yield* moveCursor(read, to);
}
