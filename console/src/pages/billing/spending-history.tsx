// The spending history as bars, a table and a CSV file.

import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { Select } from "../../components/control/field.tsx";
import { Choice } from "../../components/control/segmented-control.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatUtcDateTime } from "../../components/format/time.ts";
import { formatDollars, formatDuration } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { useSearchOption } from "../../use-search-param.ts";
import { SpendBars } from "./spend-bars.tsx";
import {
  type Bucket,
  csvKinds,
  csvUrl,
  type Kind,
  resourceLabels,
  type Spend,
  useSpending,
} from "./use-spending.ts";

const kindLabels: Record<Kind, string> = { all: "All", ...resourceLabels };
const bucketLabels: Record<Bucket, string> = {
  hour: "Hourly, last 2 days",
  day: "Daily, last 30 days",
  week: "Weekly, last 6 months",
  month: "Monthly, last 12 months",
};

export function SpendingHistory() {
  const [kind, setKind] = useSearchOption("kind", kindLabels, "all");
  const [bucket, setBucket] = useSearchOption("buckets", bucketLabels, "day");
  const query = useSpending(kind, bucket);
  const accountLimit = useAccountLimit(bucket);
  const limit = kind === "all" ? accountLimit : null;
  const csvKind = csvKinds.find((each) => each === kind);
  return (
    <Card
      title="Spending history"
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <Choice label="Resource type" value={kind} onChange={setKind} options={kindLabels} />
          <Select
            aria-label="Time range"
            className="w-auto!"
            value={bucket}
            onChange={({ target }) => setBucket(target.value as Bucket)}
          >
            {Object.entries(bucketLabels).map(([each, name]) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </Select>
          {csvKind && (
            <Button asChild>
              <a href={csvUrl(csvKind, bucket)} download={`${kind}.csv`}>
                CSV
              </a>
            </Button>
          )}
        </div>
      }
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-72" />}>
        {(spends) => <SpendingDetails spends={spends} bucket={bucket} limit={limit} />}
      </QueryResult>
    </Card>
  );
}

/** The lowest budget of the account for such a period; null for none. */
function useAccountLimit(bucket: Bucket): number | null {
  const { data: budgets = [] } = api.useQuery("get", "/v1/budgets");
  const limits = budgets
    .filter(({ scope, period }) => scope === "account" && period === bucket)
    .map(({ limit }) => limit);
  return limits.length > 0 ? Math.min(...limits) : null;
}

interface DetailsProps {
  spends: Spend[];
  bucket: Bucket;
  limit: number | null;
}

function SpendingDetails({ spends, bucket, limit }: DetailsProps) {
  const columns = useMemo(() => [startColumn(bucket), ...otherColumns], [bucket]);
  const newestFirst = useMemo(() => [...spends].reverse(), [spends]);
  const total = spends.reduce((sum, { amount }) => sum + amount, 0);
  if (spends.length === 0) {
    return <p className="py-10 text-center text-muted">No spending in this period</p>;
  }
  return (
    <>
      <p className="mb-4 text-muted">
        <span className="text-xl font-semibold text-text">{formatDollars(total)}</span> total
      </p>
      <SpendBars spends={spends} bucket={bucket} limit={limit} />
      <div className="mt-6">
        <Table
          label="Spending history"
          columns={columns}
          rows={newestFirst}
          idOf={({ time, resourceId, name }) => `${time} ${resourceId || name}`}
        />
      </div>
    </>
  );
}

/** The start of an hour with its time, of a longer period with its date alone. */
function startColumn(bucket: Bucket): Column<Spend> {
  const isHourly = bucket === "hour";
  const textOf = (time: string) => formatUtcDateTime(time).slice(0, isHourly ? 16 : 10);
  return {
    title: "Start (UTC)",
    sortBy: ({ time }) => time,
    width: isHourly ? "minmax(8.5rem, 11rem)" : "minmax(6rem, 8rem)",
    cell: ({ time }) => <time dateTime={time}>{textOf(time)}</time>,
  };
}

/** A kind opens its resources, and a resource what it cost by day and hour. */
function Resource({ spend: { kind, resourceId, name } }: { spend: Spend }) {
  if (resourceId === "") {
    return (
      <Link
        to="/billing"
        search={(now) => ({ ...now, kind }) as never}
        resetScroll={false}
        className="underline"
      >
        {name}
      </Link>
    );
  }
  const link = (
    <Link to="/billing/$kind/$resourceId" params={{ kind, resourceId }} className="underline">
      {name}
    </Link>
  );
  return name === resourceId ? link : <NameCell name={link} id={resourceId} />;
}

const otherColumns: Column<Spend>[] = [
  {
    title: "Resource",
    sortBy: ({ name }) => name,
    width: "minmax(5rem, 2fr)",
    cell: (spend) => <Resource spend={spend} />,
  },
  {
    title: "Runtime",
    sortBy: ({ timeBilledMs }) => timeBilledMs,
    width: "7rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ timeBilledMs }) => (timeBilledMs ? formatDuration(timeBilledMs) : "–"),
  },
  {
    title: "Disk",
    sortBy: ({ diskSpaceBilledGb }) => diskSpaceBilledGb,
    width: "5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ diskSpaceBilledGb }) => (diskSpaceBilledGb === null ? "–" : `${diskSpaceBilledGb} GB`),
  },
  {
    title: "Amount",
    sortBy: ({ amount }) => amount,
    width: "5.5rem",
    alignRight: true,
    cell: ({ amount }) => formatDollars(amount),
  },
];
