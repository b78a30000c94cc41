// What one resource cost: its days, and the hours of a day, to the micro-dollar.

import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { Copyable } from "../../components/control/copy.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatUtcDateTime } from "../../components/format/time.ts";
import { formatMicros } from "../../components/format/units.ts";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { Tile, Tiles } from "../../components/layout/tile.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { useSearchParam } from "../../use-search-param.ts";
import { type CostBucket, isDay, useBreakdown } from "./use-breakdown.ts";
import { type ResourceKind, resourceLabels, useNames } from "./use-spending.ts";

const route = getRouteApi("/inside/billing/$kind/$resourceId");

export function Breakdown() {
  const { kind, resourceId } = route.useParams();
  const [day] = useSearchParam("day");
  if (!(kind in resourceLabels) || (day && !isDay(day))) return <NotFoundPage />;
  return <ResourceCost kind={kind as ResourceKind} id={resourceId} day={day} />;
}

interface Props {
  kind: ResourceKind;
  id: string;
  /** A date in UTC; empty for all days. */
  day: string;
}

function ResourceCost({ kind, id, day }: Props) {
  const name = useNames(kind).get(id) ?? id;
  const query = useBreakdown(kind, id, day);
  return (
    <Page
      name={`Cost of ${name}`}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {day ? `Cost of ${name} on ${day}` : `Cost of ${name}`}
          <span className="text-sm font-normal text-muted">
            <Copyable text={id} />
          </span>
        </span>
      }
      lead="As the ledger charged it, to the micro-dollar. Days and hours are in UTC."
      back={<Trail kind={kind} id={id} name={name} day={day} />}
    >
      <QueryResult query={query} skeleton={<SkeletonRows rows={6} />}>
        {(buckets) => <Costs kind={kind} id={id} day={day} buckets={buckets} />}
      </QueryResult>
    </Page>
  );
}

/** "Billing / Pods / trainer" */
function Trail({ kind, id, name, day }: Props & { name: string }) {
  return (
    <nav aria-label="Parent pages" className="flex flex-wrap gap-x-1.5">
      <Link to="/billing">Billing</Link>
      <span aria-hidden>/</span>
      <Link to="/billing" search={{ kind } as never}>
        {resourceLabels[kind]}
      </Link>
      {day && (
        <>
          <span aria-hidden>/</span>
          <Link to="/billing/$kind/$resourceId" params={{ kind, resourceId: id }}>
            {name}
          </Link>
        </>
      )}
    </nav>
  );
}

function Costs({ kind, id, day, buckets }: Props & { buckets: CostBucket[] }) {
  const newestFirst = useMemo(() => (day ? buckets : [...buckets].reverse()), [day, buckets]);
  const labels = useMemo(() => partsWithCost(buckets), [buckets]);
  const columns = useMemo(
    () => [day ? hourColumn : dayColumn(kind, id), ...labels.map(partColumn), totalColumn],
    [kind, id, day, labels],
  );
  if (buckets.length === 0) {
    return (
      <p className="py-10 text-center text-muted">
        {day ? "Nothing was charged on this day" : "Nothing was charged in the last year"}
      </p>
    );
  }
  const sumOf = (amountOf: (bucket: CostBucket) => number) =>
    formatMicros(buckets.reduce((sum, bucket) => sum + amountOf(bucket), 0));
  return (
    <>
      <Tiles>
        <Tile
          name="Total"
          value={sumOf(({ totalMicros }) => totalMicros)}
          note={day ? "of the hours below" : "of the days below"}
        />
        {labels.length > 1 &&
          labels.map((label) => (
            <Tile key={label} name={label} value={sumOf(({ parts }) => parts[label]!)} />
          ))}
      </Tiles>
      <Table
        label={day ? "Hours" : "Days"}
        columns={columns}
        rows={newestFirst}
        idOf={({ time }) => time}
        rowHeight={44}
      />
    </>
  );
}

const partsWithCost = (buckets: CostBucket[]): string[] =>
  Object.keys(buckets[0]?.parts ?? {}).filter((label) =>
    buckets.some(({ parts }) => parts[label] !== 0),
  );

const hourColumn: Column<CostBucket> = {
  title: "Hour (UTC)",
  sortBy: ({ time }) => time,
  width: "minmax(5.5rem, 1fr)",
  cell: ({ time }) => <time dateTime={time}>{formatUtcDateTime(time).slice(11)}</time>,
};

function dayColumn(kind: ResourceKind, resourceId: string): Column<CostBucket> {
  return {
    title: "Day (UTC)",
    sortBy: ({ time }) => time,
    width: "minmax(6rem, 1fr)",
    cell: ({ time }) => {
      const day = time.slice(0, "2026-11-22".length);
      return (
        <Link
          to="/billing/$kind/$resourceId"
          params={{ kind, resourceId }}
          search={{ day } as never}
          aria-label={`Hours of ${day}`}
          className="font-medium underline"
        >
          <time dateTime={time}>{day}</time>
        </Link>
      );
    },
  };
}

const partColumn = (label: string): Column<CostBucket> => ({
  title: label,
  sortBy: ({ parts }) => parts[label],
  width: "minmax(7rem, 1fr)",
  alignRight: true,
  minWidth: "md",
  cell: ({ parts }) => formatMicros(parts[label]!),
});

const totalColumn: Column<CostBucket> = {
  title: "Amount",
  sortBy: ({ totalMicros }) => totalMicros,
  width: "minmax(7rem, 1fr)",
  alignRight: true,
  cell: ({ totalMicros }) => formatMicros(totalMicros),
};
