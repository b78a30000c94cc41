// Starts an operation on the jobs that exist now.

import { Fault } from "../../domain/fault.ts";
import {
  type JobOperation,
  MAX_RUNNING_OPERATIONS,
} from "../../domain/job-operation/job-operation.ts";
import { holdAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lastSeq } from "../../store/job/list/matching.ts";
import {
  countRunningOperations,
  insertJobOperation,
} from "../../store/job-operation/job-operation.ts";

export function* startJobOperation(
  request: Pick<JobOperation, "id" | "accountId" | "action" | "filter">,
  now: number,
): Tx<JobOperation | Fault> {
  // Two transactions could both take the last place.
  yield* holdAccount(request.accountId);
  if ((yield* countRunningOperations(request.accountId)) >= MAX_RUNNING_OPERATIONS) {
    return new Fault("too_many_running", {
      limit: MAX_RUNNING_OPERATIONS,
      nouns: "operations on jobs",
    });
  }
  const operation: JobOperation = {
    ...request,
    state: "RUNNING",
    lastSeq: yield* lastSeq(),
    cursorSeq: 0,
    total: null,
    done: 0,
    createdAt: now,
    finishedAt: null,
  };
  yield* insertJobOperation(operation);
  return operation;
}
