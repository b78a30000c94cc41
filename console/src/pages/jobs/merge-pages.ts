// Pages of a list put together, each job once: one that moved meanwhile may be on two of them.

import type { Schema } from "../../api/client.ts";

type Job = Schema["JobSummary"];

/** Up to `limit` jobs behind the one with the id `before`. */
export interface JobPage {
  before: string;
  limit: number;
}

/**
 * All rows, and the row each page begins with. Pages are left out from where one is not there yet, and
 * all of them where so many jobs came that they do not follow what is at the top.
 */
export function merged(
  top: Job[],
  isHeld: boolean,
  pages: JobPage[],
  loaded: ReadonlyMap<string, Job[]>,
): { rows: Job[]; starts: number[] } {
  const rows = [...top];
  const starts: number[] = [];
  if (!isHeld && !top.some(({ id }) => id === pages[0]?.before)) return { rows, starts };
  const known = new Set(top.map(({ id }) => id));
  for (const { before } of pages) {
    const jobs = loaded.get(before);
    if (!jobs) break;
    starts.push(rows.length);
    for (const job of jobs) {
      if (known.has(job.id)) continue;
      known.add(job.id);
      rows.push(job);
    }
  }
  return { rows, starts };
}

/** The number of the page that a row is on; what is above all pages counts as the first. */
export function pageOf(starts: number[], row: number): number {
  const next = starts.findIndex((start) => start > row);
  return Math.max(0, (next < 0 ? starts.length : next) - 1);
}
