// All metrics, for whoever watches the installation: the store's as they are now, and this process's.

import type { Clock } from "../../base/clock.ts";
import { bounded, type Metric, type Sample } from "../../domain/metrics/exposition.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import {
  countAll,
  type EndpointCounts,
  type InstallationCounts,
} from "../../store/metrics/metrics.ts";
import type { Store } from "../../store/store.ts";
import type { TurnCounts } from "../../store/turn-counts.ts";
import { mustBeOperator } from "../account/operator.ts";
import { machinesThere } from "../machine/list.ts";
import type { OwnCounts } from "./own.ts";

export interface MetricsDeps {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
  counts: OwnCounts;
}

/** `by` is the account that asks, null for whoever sits at this machine. */
export async function readMetrics(deps: MetricsDeps, by: string | null): Promise<Metric[]> {
  const { store, clock, counts } = deps;
  const refusal = by === null ? null : await store.read(mustBeOperator, by);
  if (refusal) throw refusal;
  const now = clock.now();
  const all = await store.read(countAll, now);
  const machines = await machinesThere(deps);
  const online = machines.filter((each) => each.online).length;
  return [
    ...queueMetrics(all, now),
    gauge("workers", "Workers that have not ended.", all.workers.map(stateSample)),
    gauge("pods", "Pods, by what is wanted and what was seen.", all.pods.map(stateSample)),
    gauge("machines", "Machines, by whether they were heard of lately.", [
      { labels: { online: "true" }, value: online },
      { labels: { online: "false" }, value: machines.length - online },
    ]),
    ...moneyMetrics(all, now),
    ...loopMetrics(counts),
    ...storeMetrics(store.turns),
    ...requestMetrics(counts),
  ];
}

/** More endpoints than this are told as one, called "other". */
const MOST_ENDPOINTS = 200;

function queueMetrics({ endpoints }: InstallationCounts, now: number): Metric[] {
  const sum = (rows: EndpointCounts[], name: "queued" | "running" | "completed" | "failed") =>
    rows.reduce((total, row) => total + row[name], 0);
  const together = (rows: EndpointCounts[]): EndpointCounts => ({
    id: "other",
    queued: sum(rows, "queued"),
    running: sum(rows, "running"),
    completed: sum(rows, "completed"),
    failed: sum(rows, "failed"),
    oldestAt: rows.reduce<number | null>((oldest, { oldestAt }) => {
      return oldestAt === null ? oldest : Math.min(oldest ?? oldestAt, oldestAt);
    }, null),
  });
  const busiest = ({ queued, running, completed }: EndpointCounts) =>
    (queued + running) * 1e9 + completed;
  const shown = bounded(endpoints, MOST_ENDPOINTS, busiest, together);
  const each = (value: (row: EndpointCounts) => number): Sample[] =>
    shown.map((row) => ({ labels: { endpoint: row.id }, value: value(row) }));
  const ended = shown.flatMap(({ id, completed, failed }) => [
    { labels: { endpoint: id, outcome: "completed" }, value: completed },
    { labels: { endpoint: id, outcome: "failed" }, value: failed },
  ]);
  const age = (at: number | null) => (at === null ? 0 : Math.max(0, now - at) / 1_000);
  return [
    gauge(
      "jobs_queued",
      "Jobs that wait for a worker.",
      each(({ queued }) => queued),
    ),
    gauge(
      "jobs_running",
      "Jobs that a worker has.",
      each(({ running }) => running),
    ),
    gauge(
      "queue_head_age_seconds",
      "How long the next job has waited.",
      each(({ oldestAt }) => age(oldestAt)),
    ),
    counter("jobs_ended_total", "Jobs that ended.", ended),
  ];
}

function moneyMetrics({ metered, budgetsSpent }: InstallationCounts, now: number): Metric[] {
  const lag = metered.chargedTo === null ? 0 : Math.max(0, now - metered.chargedTo) / 1_000;
  return [
    gauge("meter_lag_seconds", "How far the ledger is behind what is used.", alone(lag)),
    gauge("usages_open", "What is metered now.", alone(metered.open)),
    gauge("spend_dollars_per_hour", "What all of it costs.", alone(metered.rate / 1_000_000)),
    gauge("budgets_spent", "Budgets that hold something back.", alone(Number(budgetsSpent))),
  ];
}

function loopMetrics({ loops }: OwnCounts): Metric[] {
  const each = [...loops].sort(([a], [b]) => (a < b ? -1 : 1));
  const samples = (value: (counts: (typeof each)[number][1]) => number) =>
    each.map(([loop, counts]) => ({ labels: { loop }, value: value(counts) }));
  const succeeded = each
    .filter(([, { succeededAt }]) => succeededAt !== null)
    .map(([loop, { succeededAt }]) => ({ labels: { loop }, value: succeededAt! / 1_000 }));
  return [
    counter(
      "loop_turns_total",
      "Turns of this process's loops.",
      samples(({ turns }) => turns),
    ),
    counter(
      "loop_errors_total",
      "Those that failed.",
      samples(({ errors }) => errors),
    ),
    counter(
      "loop_seconds_total",
      "The time they took.",
      samples(({ seconds }) => seconds),
    ),
    gauge("loop_succeeded_at_seconds", "When the last one succeeded, as a Unix time.", succeeded),
  ];
}

function storeMetrics({ turns, failed, calls, rounds, seconds }: TurnCounts): Metric[] {
  return [
    counter("store_turns_total", "Transactions that calls shared.", alone(turns)),
    counter("store_turns_failed_total", "Those that were not written.", alone(failed)),
    counter("store_calls_total", "The calls in them.", alone(calls)),
    counter("store_rounds_total", "Round trips to the database for them.", alone(rounds)),
    counter("store_turn_seconds_total", "The time they took, syncs included.", alone(seconds)),
  ];
}

function requestMetrics({ requests }: OwnCounts): Metric[] {
  const all = [...requests];
  const labels = ({ method, route, statuses }: (typeof all)[number]) => {
    return { method, route, status: statuses };
  };
  const samples = (value: (counts: (typeof all)[number]) => number) =>
    all.map((counts) => ({ labels: labels(counts), value: value(counts) }));
  return [
    counter(
      "http_requests_total",
      "Requests that were answered.",
      samples(({ n }) => n),
    ),
    counter(
      "http_seconds_total",
      "The time they took, held polls too.",
      samples((c) => c.seconds),
    ),
  ];
}

const stateSample = ({ state, observed, n }: { state: string; observed: string; n: number }) => {
  return { labels: { wanted: state, observed }, value: Number(n) };
};
const alone = (value: number): Sample[] => [{ labels: {}, value }];

function gauge(name: string, help: string, samples: Sample[]): Metric {
  return { name, type: "gauge", help, samples };
}

function counter(name: string, help: string, samples: Sample[]): Metric {
  return { name, type: "counter", help, samples };
}
