// Lists the jobs of an account's endpoints, the newest first, a page at a time.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import {
  jobStates,
  statesVisibleAs,
  type VisibleState,
  visibleState,
} from "../../domain/job/moves.ts";
import type { Store } from "../../store/engine/store.ts";
import { listJobs } from "../../store/job/find.ts";
import { findOwn } from "./find-own.ts";

export interface JobListing {
  accountId: string;
  endpointId: string | null;
  status: string | null;
  /** The id of the last job of the page before this one. */
  before: string | null;
  limit: number | null;
  /** Whether failures are listed beyond their retention. */
  archived?: boolean;
}

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;

export async function list(
  deps: { store: Store; clock: Clock },
  listing: JobListing,
): Promise<Job[]> {
  const states = listing.status === null ? null : statesOf(listing.status);
  const before = listing.before;
  const last = before === null ? null : await findOwn(deps, listing.accountId, before);
  return deps.store.read(listJobs, {
    accountId: listing.accountId,
    endpointId: listing.endpointId,
    states,
    before: last?.seq ?? null,
    archived: listing.archived ?? false,
    most: Math.min(MAX_PAGE, Math.max(1, listing.limit ?? DEFAULT_PAGE)),
    now: deps.clock.now(),
  });
}

function statesOf(status: string) {
  const known = [...new Set(jobStates.map(visibleState))];
  if (known.includes(status as VisibleState)) return statesVisibleAs(status as VisibleState);
  throw new Fault("invalid_query", {
    detail: `"status" is one of ${known.join(", ")}; it is "${status}".`,
  });
}
