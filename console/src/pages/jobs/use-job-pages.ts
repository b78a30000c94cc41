// Jobs, newest first, in as many pages as the user has scrolled to. At the top, the list follows new jobs.
// Further down it is pinned, so that rows do not move; the pages near the visible ones are kept current.

import { useQueries, useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import type { JobState } from "../../components/format/job-state.ts";
import { type JobPage, mergePages, pageOf } from "./job-pages.ts";

type Job = Schema["JobSummary"];

export interface JobFilter {
  endpointId?: string;
  batchId?: string;
  status?: JobState;
  workerId?: string;
  error?: string;
  id?: string;
  since?: string;
  quarantined?: boolean;
}

/** The newest jobs are read after every change; older pages only near the visible rows. */
const NEWEST = 100;
const PAGE = 250;

export function useJobPages(filter: JobFilter) {
  // The first row of a pinned list; null at the top.
  const [pinned, setPinned] = useState<Job | null>(null);
  const [pages, setPages] = useState<JobPage[]>([]);
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const cache = useRef<LoadedPages>(new Map());
  const head = useQuery(optionsOf(filter, { limit: NEWEST }));
  const newest = head.data;
  const isFetching = useNearPages(filter, pages, visible, cache);
  const loaded = cache.current;
  const { rows, starts } = useMemo(
    () => mergePages(pinned ? [pinned] : (newest ?? []), pinned !== null, pages, loaded),
    [pinned, newest, pages, loaded],
  );
  const onVisibleRange = useCallback(
    (first: number, last: number) => {
      const now = { first: pageOf(starts, first), last: pageOf(starts, last) };
      setVisible((was) => (was.first === now.first && was.last === now.last ? was : now));
      if (first === 0) return setPinned(null);
      const [top, ...below] = newest ?? [];
      if (pinned || !top) return;
      setPinned(top);
      cache.current = new Map(cache.current).set(top.id, below);
      setPages((was) => pinPages(newest!, was));
    },
    [starts, newest, pinned],
  );
  const end = rows.at(-1)?.id;
  const bottom = starts.length > 0 ? pages[starts.length - 1] : undefined;
  const isComplete = bottom
    ? (loaded.get(bottom.before)?.length ?? bottom.limit) < bottom.limit
    : (newest?.length ?? 0) < NEWEST;
  const onEndReached = useCallback(() => {
    if (end === undefined || isFetching || isComplete) return;
    const next = { before: end, limit: PAGE };
    setPages((was) => (was.at(-1)?.before === end ? was : [...was.slice(0, starts.length), next]));
  }, [end, isFetching, isComplete, starts]);
  return {
    head,
    rows,
    newer: pinned ? countNewer(pinned, newest) : 0,
    onEnd: onEndReached,
    onSight: onVisibleRange,
  };
}

type LoadedPages = ReadonlyMap<string, Job[]>;

/** Reads the pages near the visible ones and caches the others. True while one of them loads. */
function useNearPages(
  filter: JobFilter,
  pages: JobPage[],
  { first, last }: { first: number; last: number },
  cache: RefObject<LoadedPages>,
): boolean {
  const nearPages = pages.slice(Math.max(0, first - 1), last + 2);
  const results = useQueries({ queries: nearPages.map((page) => optionsOf(filter, page)) });
  const read = new Map(nearPages.map(({ before }, n) => [before, results[n]!.data]));
  const jobsOf = ({ before }: JobPage) => read.get(before) ?? cache.current.get(before);
  if (nearPages.some((page) => jobsOf(page) !== cache.current.get(page.before))) {
    const loadedPages = pages.map((page) => [page.before, jobsOf(page)] as const);
    cache.current = new Map(
      loadedPages.filter((each): each is [string, Job[]] => each[1] !== undefined),
    );
  }
  return results.some(({ data }) => data === undefined);
}

/** The rows after the first as pages that do not move when jobs arrive. */
function pinPages(newest: Job[], pages: JobPage[]): JobPage[] {
  const before = newest[0]!.id;
  if (pages.some((page) => page.before === before)) return pages;
  const follow = newest.some(({ id }) => id === pages[0]?.before);
  return [{ before, limit: NEWEST - 1 }, ...(follow ? pages : [])];
}

/** The number of jobs since the pinned row; a full page may stand for more. */
function countNewer(pinned: Job, newest: Job[] = []): number {
  const at = newest.findIndex(({ id }) => id === pinned.id);
  return at < 0 ? newest.length : at;
}

function optionsOf(filter: JobFilter, page: Partial<JobPage> & { limit: number }) {
  return api.queryOptions("get", "/v1/jobs", { params: { query: { ...page, ...filter } } });
}
