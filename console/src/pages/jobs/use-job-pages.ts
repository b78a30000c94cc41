// Jobs, the newest first, as many pages of them as somebody has scrolled to. At the top the list follows
// what arrives. Further down it is held as it was, so that what one looks at stays where it is; its states
// are kept true, of the pages near those in sight.

import { useQueries, useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import type { JobState } from "./job-status.tsx";
import { type JobPage, merged, pageOf } from "./merge-pages.ts";

type Job = Schema["JobSummary"];

export interface JobFilter {
  endpointId?: string;
  status?: JobState;
}

/** The newest are read as often as something changes; those further down only where one looks. */
const NEWEST = 100;
const PAGE = 250;

export function useJobPages(filter: JobFilter) {
  // The first row of a list that is held; null at the top.
  const [held, setHeld] = useState<Job | null>(null);
  const [pages, setPages] = useState<JobPage[]>([]);
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const kept = useRef<Loaded>(new Map());
  const head = useQuery(optionsOf(filter, { limit: NEWEST }));
  const newest = head.data;
  const isFetching = useNearPages(filter, pages, sight, kept);
  const loaded = kept.current;
  const { rows, starts } = useMemo(
    () => merged(held ? [held] : (newest ?? []), held !== null, pages, loaded),
    [held, newest, pages, loaded],
  );
  const onSight = useCallback(
    (first: number, last: number) => {
      const now = { first: pageOf(starts, first), last: pageOf(starts, last) };
      setSight((was) => (was.first === now.first && was.last === now.last ? was : now));
      if (first === 0) return setHeld(null);
      const [top, ...below] = newest ?? [];
      if (held || !top) return;
      setHeld(top);
      kept.current = new Map(kept.current).set(top.id, below);
      setPages((was) => heldPages(newest!, was));
    },
    [starts, newest, held],
  );
  const end = rows.at(-1)?.id;
  const bottom = starts.length > 0 ? pages[starts.length - 1] : undefined;
  const whole = bottom
    ? (loaded.get(bottom.before)?.length ?? bottom.limit) < bottom.limit
    : (newest?.length ?? 0) < NEWEST;
  const onEnd = useCallback(() => {
    if (end === undefined || isFetching || whole) return;
    const next = { before: end, limit: PAGE };
    setPages((was) => (was.at(-1)?.before === end ? was : [...was.slice(0, starts.length), next]));
  }, [end, isFetching, whole, starts]);
  return { head, rows, newer: held ? newerThan(held, newest) : 0, onEnd, onSight };
}

type Loaded = ReadonlyMap<string, Job[]>;

/**
 * Reads the pages near those in sight, also when they change; the others are kept as they came. True
 * while one is not there yet.
 */
function useNearPages(
  filter: JobFilter,
  pages: JobPage[],
  { first, last }: { first: number; last: number },
  kept: RefObject<Loaded>,
): boolean {
  const near = pages.slice(Math.max(0, first - 1), last + 2);
  const results = useQueries({ queries: near.map((page) => optionsOf(filter, page)) });
  const read = new Map(near.map(({ before }, n) => [before, results[n]!.data]));
  const jobsOf = ({ before }: JobPage) => read.get(before) ?? kept.current.get(before);
  if (near.some((page) => jobsOf(page) !== kept.current.get(page.before))) {
    const there = pages.map((page) => [page.before, jobsOf(page)] as const);
    kept.current = new Map(there.filter((each): each is [string, Job[]] => each[1] !== undefined));
  }
  return results.some(({ data }) => data === undefined);
}

/** What follows the first row, as pages that do not move when jobs arrive. */
function heldPages(newest: Job[], pages: JobPage[]): JobPage[] {
  const before = newest[0]!.id;
  if (pages.some((page) => page.before === before)) return pages;
  const follow = newest.some(({ id }) => id === pages[0]?.before);
  return [{ before, limit: NEWEST - 1 }, ...(follow ? pages : [])];
}

/** How many came since; as many as are read at a time may be more. */
function newerThan(held: Job, newest: Job[] = []): number {
  const at = newest.findIndex(({ id }) => id === held.id);
  return at < 0 ? newest.length : at;
}

function optionsOf({ endpointId, status }: JobFilter, page: Partial<JobPage> & { limit: number }) {
  const query = { ...page, ...(endpointId && { endpointId }), ...(status && { status }) };
  return api.queryOptions("get", "/v1/jobs", { params: { query } });
}
