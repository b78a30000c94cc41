// What the store tells of the whole installation, counted by the database.

import { row, rows, type Verb } from "../statement.ts";

export interface EndpointCounts {
  id: string;
  queued: number;
  running: number;
  completed: number;
  failed: number;
  /** When the oldest that waits began to; null where none waits. */
  oldestAt: number | null;
}

export interface StateCount {
  state: string;
  observed: string;
  n: number;
}

export interface InstallationCounts {
  endpoints: EndpointCounts[];
  workers: StateCount[];
  pods: StateCount[];
  /** Micro-dollars per hour, of all that is metered now, and up to when all of it is charged. */
  metered: { rate: number; open: number; chargedTo: number | null };
  budgetsSpent: number;
}

export function* countAll(now: number): Verb<InstallationCounts> {
  const endpoints = yield* rows<Omit<EndpointCounts, "oldestAt">>(
    `select endpoint_id as id, sum(in_queue) as queued, sum(in_progress) as running,
       sum(ever_completed) as completed, sum(ever_failed) as failed
     from tally join endpoint on endpoint.id = endpoint_id and deleted_at is null
     group by endpoint_id order by endpoint_id`,
  );
  const waiting = yield* oldestOf(endpoints.filter(({ queued }) => Number(queued) > 0));
  return {
    endpoints: endpoints.map(({ id, queued, running, completed, failed }) => ({
      id,
      queued: Number(queued),
      running: Number(running),
      completed: Number(completed),
      failed: Number(failed),
      oldestAt: waiting.get(id) ?? null,
    })),
    workers: yield* rows<StateCount>(
      `select desired as state, observed, count(*) as n from worker where observed <> 'ended'
       group by desired, observed order by desired, observed`,
    ),
    pods: yield* rows<StateCount>(
      `select state, observed, count(*) as n from pod group by state, observed
       order by state, observed`,
    ),
    metered: yield* metered(),
    budgetsSpent: (yield* row<{ n: number }>(
      "select count(*) as n from budget where spent_until > ?",
      now,
    ))!.n,
  };
}

/** The first in the order of dispatch: where priorities differ, an older one may stand behind it. */
function* oldestOf(waiting: { id: string }[]): Verb<Map<string, number>> {
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
