// A filter of jobs as SQL, without its endpoint, worker and id: each query has those in the form of its index.

import type { JobFilter } from "../../../domain/job/job-filter.ts";
import { QUARANTINED } from "../../../domain/job/sentences.ts";
import type { Value } from "../../engine/statement.ts";
import { KEPT } from "../find.ts";

export interface Condition {
  sql: string;
  params: Value[];
}

export const condition = (sql: string, ...params: Value[]): Condition => ({ sql, params });

/** True of jobs that match all of them. */
export function allOf(conditions: Condition[]): Condition {
  const sql = conditions.map((each) => each.sql).join(" and ") || "true";
  return { sql, params: conditions.flatMap(({ params }) => params) };
}

/** Jobs whose retention is over are hidden, with `archived` only those that are no longer kept either. */
export function visibleAt(now: number, archived: boolean): Condition {
  return archived
    ? condition(KEPT, now, now)
    : condition("(forget_at is null or forget_at > ?)", now);
}

/** Conditions that an index of jobs leads to, or that most jobs meet. */
export function indexedConditions({ states, since, until }: JobFilter): Condition[] {
  const found: Condition[] = [];
  if (since !== null) found.push(condition("submitted_at >= ?", since));
  if (until !== null) found.push(condition("submitted_at < ?", until));
  if (states) found.push(condition(`state in (${states.map((each) => `'${each}'`).join(", ")})`));
  return found;
}

/** Conditions that no index leads to, so that each job has to be looked at. */
export function searchedConditions(filter: JobFilter): Condition[] {
  const { error, finishedAfter, finishedBefore, quarantined } = filter;
  const found: Condition[] = [];
  if (error !== null) {
    // Not every database knows the lower case of letters beyond ASCII, so the text as it is matches too.
    const sql = "(lower(error) like ? escape '!' or error like ? escape '!')";
    found.push(condition(sql, patternOf(error.toLowerCase()), patternOf(error)));
  }
  if (finishedAfter !== null) found.push(condition("finished_at >= ?", finishedAfter));
  if (finishedBefore !== null) found.push(condition("finished_at < ?", finishedBefore));
  if (quarantined !== null) {
    // With "like", the databases would differ in case.
    const sql = `substr(coalesce(error, ''), 1, ${QUARANTINED.length})`;
    found.push(condition(`${sql} ${quarantined ? "=" : "<>"} ?`, QUARANTINED));
  }
  return found;
}

/** The text itself, without wildcards. */
function patternOf(text: string): string {
  return `%${text.replace(/[!%_]/g, "!$&")}%`;
}
