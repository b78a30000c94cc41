// Jobs, the newest first, as many pages of them as somebody has scrolled to. Only pages in sight are
// kept true; the others are as they were, so what one looks at stays where it is while jobs arrive.

import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import type { JobState } from "./job-status.tsx";

type Job = Schema["JobSummary"];

export interface JobFilter {
  endpointId?: string;
  status?: JobState;
}

const PAGE = 100;

/** Rows, of all that are loaded. */
interface Sight {
  first: number;
  last: number;
}

export function useJobPages(filter: JobFilter) {
  // Each page but the first begins behind the job with this id.
  const [anchors, setAnchors] = useState<string[]>([]);
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0 });
  const client = useQueryClient();
  const options = [undefined, ...anchors].map((before) => optionsOf(filter, before));
  const known = options.map(({ queryKey }) => client.getQueryData<Job[]>(queryKey));
  const starts = startsOf(known);
  const results = useQueries({
    queries: options.map((each, n) => ({ ...each, enabled: isInSight(starts, n, sight) })),
  });
  const pages = useSame(results.map(({ data }) => data));
  const rows = useMemo(() => rowsOf(pages, anchors[0]), [pages, anchors[0]]);
  const { isFetching, data } = results.at(-1)!;
  const end = rows.at(-1)?.id;
  const whole = (data?.length ?? 0) < PAGE;
  const onEnd = useCallback(() => {
    if (end === undefined || isFetching || whole) return;
    setAnchors((now) =>
      now.includes(end) ? now : isJoined(pages[0], now[0]) ? [...now, end] : [end],
    );
  }, [end, isFetching, whole, pages]);
  const onSight = useCallback((first: number, last: number) => {
    // Only as often as other pages come into sight.
    const now = { first: down(first), last: down(last) };
    setSight((was) => (was.first === now.first && was.last === now.last ? was : now));
  }, []);
  return { head: results[0]!, rows, onEnd, onSight };
}

const down = (row: number) => Math.floor(row / (PAGE / 2)) * (PAGE / 2);

/** The same list for as long as what is in it is the same. */
function useSame<Item>(items: Item[]): Item[] {
  const kept = useRef(items);
  const was = kept.current;
  const same = was.length === items.length && was.every((item, n) => item === items[n]);
  if (!same) kept.current = items;
  return kept.current;
}

function optionsOf({ endpointId, status }: JobFilter, before: string | undefined) {
  const query = {
    limit: PAGE,
    ...(endpointId && { endpointId }),
    ...(status && { status }),
    ...(before && { before }),
  };
  return api.queryOptions("get", "/v1/jobs", { params: { query } });
}

/** Where more jobs came than a page holds while nobody looked, what is below begins anew. */
function isJoined(head: Job[] | undefined, anchor: string | undefined): boolean {
  return anchor === undefined || head === undefined || head.some(({ id }) => id === anchor);
}

/** A job that moved to another page meanwhile is shown once. */
function rowsOf(pages: (Job[] | undefined)[], anchor: string | undefined): Job[] {
  const byId = new Map<string, Job>();
  for (const page of isJoined(pages[0], anchor) ? pages : pages.slice(0, 1)) {
    for (const job of page ?? []) if (!byId.has(job.id)) byId.set(job.id, job);
  }
  return [...byId.values()];
}

function startsOf(pages: (Job[] | undefined)[]): number[] {
  let start = 0;
  return pages.map((page) => {
    const own = start;
    start += page?.length ?? PAGE;
    return own;
  });
}

function isInSight(starts: number[], n: number, { first, last }: Sight): boolean {
  const end = starts[n + 1] ?? Infinity;
  return starts[n]! <= last + PAGE && end >= first;
}
