// Counts over the whole installation. It reads many tables and owns none.

import type { Hold } from "../../domain/job/schedule/concurrency.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { labelsFrom } from "../engine/row/columns.ts";
import { row, rows, type Tx } from "../engine/statement.ts";

export interface EndpointCounts {
  id: string;
  labels: Labels;
  queued: number;
  running: number;
  completed: number;
  failed: number;
  /** When the first waiting job was queued; null if none waits. */
  oldestAt: number | null;
}

interface StateCount {
  desired: string;
  observed: string;
  n: number;
}

/** Open usages of a kind with the same labels. */
export interface LabeledUsages {
  kind: string;
  labels: Labels;
  /** Micro-dollars per hour. */
  rate: number;
  /** How many bill more than disks. */
  running: number;
}

export interface InstallationCounts {
  endpoints: EndpointCounts[];
  held: Record<Hold, number>;
  workers: StateCount[];
  pods: StateCount[];
  /**
   * The open usages: their rate in micro-dollars per hour, their number, and up to when all of them
   * are charged.
   */
  metered: { rate: number; open: number; chargedTo: number | null };
  budgetsSpent: number;
  /** Empty unless asked for. */
  labeled: LabeledUsages[];
}

export function* countAll(now: number, withLabels: boolean): Tx<InstallationCounts> {
  const endpoints = yield* rows<
    Omit<EndpointCounts, "oldestAt" | "labels"> & { labels: string | null }
  >(
    `select endpoint_id as id, max(endpoint.labels) as labels, sum(in_queue) as queued, sum(in_progress) as running,
       sum(completed) as completed, sum(failed) as failed
     from tally join endpoint on endpoint.id = endpoint_id and deleted_at is null
     group by endpoint_id order by endpoint_id`,
  );
  const waiting = yield* oldestOf(endpoints.filter(({ queued }) => Number(queued) > 0));
  return {
    endpoints: endpoints.map(({ id, labels, queued, running, completed, failed }) => ({
      id,
      labels: labelsFrom(labels),
      queued: Number(queued),
      running: Number(running),
      completed: Number(completed),
      failed: Number(failed),
      oldestAt: waiting.get(id) ?? null,
    })),
    held: { concurrency: yield* heldJobs("concurrency"), rate: yield* heldJobs("rate") },
    workers: yield* rows<StateCount>(
      `select desired, observed, count(*) as n from worker where observed <> 'ended'
       group by desired, observed order by desired, observed`,
    ),
    pods: yield* rows<StateCount>(
      `select state as desired, observed, count(*) as n from pod group by state, observed
       order by state, observed`,
    ),
    metered: yield* metered(),
    budgetsSpent: (yield* row<{ n: number }>(
      "select count(*) as n from budget where spent_until > ?",
      now,
    ))!.n,
    labeled: withLabels ? yield* labeledUsages() : [],
  };
}

function* labeledUsages(): Tx<LabeledUsages[]> {
  const groups = yield* rows<Omit<LabeledUsages, "labels"> & { labels: string | null }>(
    `select kind, labels, sum(rate) as rate, sum(running) as running from usage where ended_at is null
     group by kind, labels`,
  );
  return groups.map(({ kind, labels, rate, running }) => {
    return { kind, labels: labelsFrom(labels), rate: Number(rate), running: Number(running) };
  });
}

/** A scrape counts no further, so that a million held jobs do not slow it down. */
const MAX_HELD = 100_000;

/** The reason is a literal, because partial indexes are found by that text. */
function* heldJobs(reason: Hold): Tx<number> {
  const found = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job
       where state = 'DELAYED' and held_by = '${reason}' limit ${MAX_HELD}) as held`,
  );
  return Number(found!.n);
}

/**
 * The first job in the order of dispatch. With different priorities an older job may be behind it.
 */
function* oldestOf(waiting: { id: string }[]): Tx<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { id } of waiting) {
    const first = yield* row<{ at: number }>(
      `select queued_at as at from job where endpoint_id = ? and state = 'IN_QUEUE'
       order by priority desc, seq limit 1`,
      id,
    );
    if (first) found.set(id, first.at);
  }
  return found;
}

function* metered() {
  const found = yield* row<{ rate: number; open: number; to: number | null }>(
    `select coalesce(sum(rate), 0) as rate, count(*) as open, min(metered_to) as "to"
     from usage where ended_at is null`,
  );
  const { rate, open, to } = found!;
  return { rate: Number(rate), open: Number(open), chargedTo: to === null ? null : Number(to) };
}
