// Operations on all jobs that match a filter: an account starts, reads and cancels them. A loop carries them out.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { JobFilter } from "../../domain/job/job-filter.ts";
import {
  type JobAction,
  type JobOperation,
  statesToChange,
} from "../../domain/job-operation/job-operation.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import { findJobOperation, listJobOperations } from "../../store/job-operation/job-operation.ts";
import { cancelOperation } from "../../transactions/job-operation/cancel.ts";
import { startJobOperation } from "../../transactions/job-operation/start.ts";
import { createOnceIn } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface NewJobOperation {
  accountId: string;
  action: JobAction;
  filter: JobFilter;
}

const MAX_LISTED = 100;

/** Throws where the filter names another account's endpoint or a deleted one, or only jobs that the action leaves alone. */
export async function createJobOperation(
  { store, clock, ids }: FlowDeps,
  { accountId, action, filter }: NewJobOperation,
  once: IdempotencyKey | null,
): Promise<JobOperation> {
  const { endpointId } = filter;
  if (endpointId !== null) {
    const endpoint = await store.read(findEndpoint, endpointId);
    if (endpoint?.accountId !== accountId)
      throw new Fault("endpoint_not_found", { id: endpointId });
  }
  if (statesToChange(action, filter).length === 0)
    throw new Fault("action_changes_no_jobs", { action, status: filter.states!.join(", ") });
  const operation = { id: ids.short(14), accountId, action, filter };
  const now = clock.now();
  return createOnceIn({ store, once, now }, () => startJobOperation(operation, now));
}

/** The newest first. */
export function readJobOperations({ store }: FlowDeps, accountId: string): Promise<JobOperation[]> {
  return store.read(listJobOperations, accountId, MAX_LISTED);
}

export async function readJobOperation(
  { store }: FlowDeps,
  accountId: string,
  id: string,
): Promise<JobOperation> {
  const operation = await store.read(findJobOperation, id);
  if (operation?.accountId !== accountId) throw new Fault("job_operation_not_found", { id });
  return operation;
}

/** Jobs that it has changed stay as they are. One that has ended is returned unchanged. */
export async function cancelJobOperation(
  deps: FlowDeps,
  accountId: string,
  id: string,
): Promise<JobOperation> {
  await readJobOperation(deps, accountId, id);
  return throwRefusal(deps.store.write(cancelOperation, id, deps.clock.now()));
}
