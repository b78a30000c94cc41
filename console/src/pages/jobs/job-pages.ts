// The merging of pages of jobs. A job that moved between two reads may be on two pages.

import type { Schema } from "../../api/client.ts";

type Job = Schema["JobSummary"];

/** Up to `limit` jobs after the one with the id `before`. */
export interface JobPage {
  before: string;
  limit: number;
}

/**
 * All rows, and the first row of each page. Pages after one that is not loaded are left out. All pages are
 * left out if so many jobs arrived that they no longer continue the top.
 */
export function mergePages(
  top: Job[],
  isPinned: boolean,
  pages: JobPage[],
  loaded: ReadonlyMap<string, Job[]>,
): { rows: Job[]; starts: number[] } {
  const rows = [...top];
  const starts: number[] = [];
  if (!isPinned && !top.some(({ id }) => id === pages[0]?.before)) return { rows, starts };
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

/** The number of the page of a row; rows above all pages count as the first page. */
export function pageOf(starts: number[], row: number): number {
  const next = starts.findIndex((start) => start > row);
  return Math.max(0, (next < 0 ? starts.length : next) - 1);
}
