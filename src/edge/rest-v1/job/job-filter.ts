// The filter of jobs, as clients write it.

import type { JobFilterInput } from "../../../contract/rest-v1/job/job-filter.ts";
import type { JobFilter } from "../../../domain/job/job-filter.ts";
import { visibleState } from "../../../domain/job/moves.ts";
import { statesOfStatus } from "../../../flows/job/list.ts";
import { instantIn } from "../../management/observe/log.ts";
import { present } from "../../management/serve/instant.ts";

/** Throws `invalid_query` where a time is neither an instant nor a duration. */
export function filterOf(input: JobFilterInput, now: number): JobFilter {
  const { endpointId = null, workerId = null, batchId = null } = input;
  const { id = null, error = null, quarantined = null } = input;
  const at = (name: "since" | "until" | "finishedAfter" | "finishedBefore") =>
    instantIn(name, input[name], now);
  return {
    endpointId,
    workerId,
    batchId,
    id,
    error,
    quarantined,
    states: input.status === undefined ? null : statesOfStatus(input.status),
    since: at("since"),
    until: at("until"),
    finishedAfter: at("finishedAfter"),
    finishedBefore: at("finishedBefore"),
  };
}

export function filterRead(filter: JobFilter): JobFilterInput {
  const { endpointId, states, workerId, batchId, id, error, quarantined } = filter;
  const { since, until, finishedAfter, finishedBefore } = filter;
  const [state] = states ?? [];
  return {
    ...(endpointId !== null && { endpointId }),
    ...(state !== undefined && { status: visibleState(state) }),
    ...(workerId !== null && { workerId }),
    ...(batchId !== null && { batchId }),
    ...(id !== null && { id }),
    ...(error !== null && { error }),
    ...present({ since, until, finishedAfter, finishedBefore }),
    ...(quarantined !== null && { quarantined }),
  };
}
