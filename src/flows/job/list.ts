// Lists the jobs of an account's endpoints, the newest first, a page at a time.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { JobFilter } from "../../domain/job/job-filter.ts";
import {
  type JobState,
  jobStates,
  statesVisibleAs,
  type VisibleState,
  visibleState,
} from "../../domain/job/moves.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { type JobListing, type ListedJob, listJobs } from "../../store/job/list/list-jobs.ts";
import { costsOfJobs } from "../../transactions/money/job-cost.ts";
import { findOwn } from "./find-own.ts";

/** One page. */
export interface JobPage {
  /** The id of the last job of the page before this one. */
  before: string | null;
  limit: number | null;
  /** Whether failures are listed beyond their retention. */
  archived?: boolean;
  /** Only jobs of the endpoints of this member. */
  ownerId?: string | null;
}

export interface JobOnList extends ListedJob {
  /** Micro-dollars. */
  cost: number;
}

const DEFAULT_PAGE = 100;
export const MAX_PAGE = 1_000;

export async function list(
  deps: { store: Store; clock: Clock },
  accountId: string,
  filter: JobFilter,
  { before, limit, archived = false, ownerId = null }: JobPage,
): Promise<JobOnList[]> {
  const last = before === null ? null : await findOwn(deps, accountId, before);
  return deps.store.read(listWithCosts, {
    ...filter,
    accountId,
    ownerId,
    before: last?.seq ?? null,
    archived,
    limit: Math.min(MAX_PAGE, Math.max(1, limit ?? DEFAULT_PAGE)),
    now: deps.clock.now(),
  });
}

function* listWithCosts(listing: JobListing): Tx<JobOnList[]> {
  const listed = yield* listJobs(listing);
  const jobs = listed.map(({ job }) => job);
  const costs = yield* costsOfJobs(jobs, listing.now);
  return listed.map((each, n) => ({ ...each, cost: costs[n]! }));
}

/** The states that clients see as this one. Throws `invalid_query` for any other text. */
export function statesOfStatus(status: string): JobState[] {
  const known = [...new Set(jobStates.map(visibleState))];
  if (known.includes(status as VisibleState)) return statesVisibleAs(status as VisibleState);
  throw new Fault("invalid_query", {
    detail: `"status" is one of ${known.join(", ")}; it is "${status}".`,
  });
}
