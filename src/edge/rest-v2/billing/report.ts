// A billing report: records of amounts in buckets, with their totals.

import { Fault } from "../../../domain/fault.ts";
import { type BucketSize, bucketEnd } from "../../../domain/money/buckets.ts";
import { historyWindow, lastBuckets } from "../../../flows/billing/window.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { instant } from "../../management/serve/instant.ts";

export interface WindowQuery {
  startTime?: string;
  endTime?: string;
  bucketSize?: BucketSize;
  lastN?: number;
}

export interface ReportWindow {
  bucketSize: BucketSize;
  startTime: number;
  endTime: number;
}

/** What a record costs by what it is for, in micro-dollars. */
export interface ReportRow<Name extends string> {
  /** The start of the bucket. */
  at: number;
  /** The resource; empty if the record is for all. */
  id: string;
  amounts: Record<Name, number>;
}

/** What the records are for: the names of the id and of the number of ids, and the requested ids. */
export interface ReportSubject<Id extends string, Count extends string> {
  id: Id;
  count: Count;
  only: readonly string[] | null;
}

export function reportWindow(query: WindowQuery, now: number): ReportWindow {
  const { bucketSize = "day", startTime, endTime, lastN } = query;
  if (lastN !== undefined && (startTime ?? endTime) !== undefined) {
    const detail = 'Send either "lastN" or "startTime" and "endTime".';
    throw new Fault("invalid_query", { detail });
  }
  const at = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  const request = { bucketSize, startTime: at(startTime), endTime: at(endTime) };
  const { from, to } =
    lastN === undefined ? historyWindow(request, now) : lastBuckets(bucketSize, lastN, now);
  return { bucketSize, startTime: from, endTime: to };
}

export function totalReport<Name extends string>(
  window: ReportWindow,
  rows: readonly ReportRow<Name>[],
  names: readonly Name[],
) {
  const { bucketSize, startTime, endTime } = window;
  return {
    records: rows.map(({ at, amounts }) => ({ ...bucketOf(window, at), ...inDollars(amounts) })),
    metadata: {
      query: { startTime: instant(startTime), endTime: instant(endTime), bucketSize },
      recordCount: rows.length,
      totals: inDollars(sumOf(rows, names)),
    },
  };
}

export function reportBy<Name extends string, Id extends string, Count extends string>(
  subject: ReportSubject<Id, Count>,
  window: ReportWindow,
  rows: readonly ReportRow<Name>[],
  names: readonly Name[],
) {
  const { records, metadata } = totalReport(window, rows, names);
  const { query, ...rest } = metadata;
  const count = new Set(rows.map(({ id }) => id)).size;
  return {
    records: records.map((each, n) => ({ ...each, ...named(subject.id, rows[n]!.id) })),
    metadata: {
      ...rest,
      query: { ...query, ...named(subject.id, subject.only?.join(",") ?? null) },
      ...named(subject.count, count),
    },
  };
}

/** Adds up the rows of each bucket. */
export function byBucket<Name extends string>(
  rows: readonly ReportRow<Name>[],
  names: readonly Name[],
): ReportRow<Name>[] {
  const buckets = Map.groupBy(rows, ({ at }) => at);
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([at, inBucket]) => ({ at, id: "", amounts: sumOf(inBucket, names) }));
}

function bucketOf({ bucketSize }: ReportWindow, at: number) {
  return { startTime: instant(at), endTime: instant(bucketEnd(bucketSize, at)) };
}

function sumOf<Name extends string>(rows: readonly ReportRow<Name>[], names: readonly Name[]) {
  const sums = names.map((name) => {
    return [name, rows.reduce((sum, { amounts }) => sum + amounts[name], 0)];
  });
  return Object.fromEntries(sums) as Record<Name, number>;
}

function inDollars<Name extends string>(amounts: Record<Name, number>): Record<Name, number> {
  const entries = Object.entries<number>(amounts).map(([name, micros]) => [name, dollars(micros)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

const named = <Name extends string, Value>(name: Name, value: Value) =>
  ({ [name]: value }) as Record<Name, Value>;
