// Cancels an operation on jobs. What it has changed stays as it is.

import { Fault } from "../../domain/fault.ts";
import type { JobOperation } from "../../domain/job-operation/job-operation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  endJobOperation,
  findJobOperation,
  lockJobOperation,
} from "../../store/job-operation/job-operation.ts";

/** One that has ended is returned unchanged. */
export function* cancelOperation(id: string, now: number): Tx<JobOperation | Fault> {
  const operation = yield* lockJobOperation(id);
  if (operation?.state === "RUNNING") yield* endJobOperation(operation, "CANCELLED", now);
  return (yield* findJobOperation(id)) ?? new Fault("job_operation_not_found", { id });
}
