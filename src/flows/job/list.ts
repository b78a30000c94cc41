// Lists the jobs of an account's endpoints, the newest first, a page at a time.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import {
  jobStates,
  statesVisibleAs,
  type VisibleState,
  visibleState,
} from "../../domain/job/moves.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import type { JobFilter } from "../../store/job/list/filter.ts";
import { type ListedJob, listJobs } from "../../store/job/list/list-jobs.ts";
import { costsOfJobs } from "../../transactions/money/job-cost.ts";
import { findOwn } from "./find-own.ts";

export type JobConditions = Pick<JobFilter, "workerId" | "id" | "error" | "since" | "until">;

const noConditions: JobConditions = {
  workerId: null,
  id: null,
  error: null,
  since: null,
  until: null,
};

export interface JobListing {
  accountId: string;
  endpointId: string | null;
  status: string | null;
  /** The id of the last job of the page before this one. */
  before: string | null;
  limit: number | null;
  /** Whether failures are listed beyond their retention. */
  archived?: boolean;
  /** Further conditions. */
  only?: JobConditions;
}

export interface JobOnList extends ListedJob {
  /** Micro-dollars. */
  cost: number;
}

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;

export async function list(
  deps: { store: Store; clock: Clock },
  listing: JobListing,
): Promise<JobOnList[]> {
  const states = listing.status === null ? null : statesOf(listing.status);
  const before = listing.before;
  const last = before === null ? null : await findOwn(deps, listing.accountId, before);
  const { accountId, endpointId, only = noConditions } = listing;
  return deps.store.read(listWithCosts, {
    ...{ accountId, endpointId, states, ...only },
    before: last?.seq ?? null,
    archived: listing.archived ?? false,
    most: Math.min(MAX_PAGE, Math.max(1, listing.limit ?? DEFAULT_PAGE)),
    now: deps.clock.now(),
  });
}

function* listWithCosts(filter: JobFilter): Tx<JobOnList[]> {
  const listed = yield* listJobs(filter);
  const jobs = listed.map(({ job }) => job);
  const costs = yield* costsOfJobs(jobs, filter.now);
  return listed.map((each, n) => ({ ...each, cost: costs[n]! }));
}

function statesOf(status: string) {
  const known = [...new Set(jobStates.map(visibleState))];
  if (known.includes(status as VisibleState)) return statesVisibleAs(status as VisibleState);
  throw new Fault("invalid_query", {
    detail: `"status" is one of ${known.join(", ")}; it is "${status}".`,
  });
}
