// Lists the jobs of an account's endpoints, the newest first, a page at a time.

import { Fault } from "../../domain/fault.ts";
import { type JobState, jobStates } from "../../domain/job/moves.ts";
import { listJobs } from "../../store/job/find.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { findOwn } from "./find-own.ts";

export interface JobListing {
  accountId: string;
  endpointId: string | null;
  status: string | null;
  /** The id of the last job of the page before this one. */
  before: string | null;
  limit: number | null;
}

const PAGE = 100;
const LONGEST_PAGE = 1_000;

export async function list({ store }: { store: Store }, listing: JobListing): Promise<JobRow[]> {
  if (listing.status !== null && !jobStates.includes(listing.status as JobState)) {
    throw new Fault("invalid_query", {
      detail: `"status" is one of ${jobStates.join(", ")}; it is "${listing.status}".`,
    });
  }
  const before = listing.before;
  const last = before === null ? null : await findOwn({ store }, listing.accountId, before);
  return store.read(listJobs, {
    accountId: listing.accountId,
    endpointId: listing.endpointId,
    state: listing.status,
    before: last?.seq ?? null,
    most: Math.min(LONGEST_PAGE, Math.max(1, listing.limit ?? PAGE)),
  });
}
