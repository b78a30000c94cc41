// What was spent, bucket by bucket: as bars, as a table, and as a file.

import { useMemo, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Select } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { dollars, duration } from "../../parts/units.ts";
import { SpendBars } from "./spend-bars.tsx";
import { type Bucket, csvOf, type Kind, type Spend, useSpending } from "./use-spending.ts";

const kinds: Record<Kind, string> = { pods: "Pods", endpoints: "Endpoints", volumes: "Volumes" };
const buckets: Record<Bucket, string> = {
  hour: "by hour, 2 days",
  day: "by day, 30 days",
  week: "by week, half a year",
  month: "by month, a year",
};

export function History() {
  const [kind, setKind] = useState<Kind>("pods");
  const [bucket, setBucket] = useState<Bucket>("day");
  const query = useSpending(kind, bucket);
  return (
    <Card
      title="What was spent"
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <Choice label="On what" value={kind} onChange={setKind} options={kinds} />
          <Select
            aria-label="Period"
            className="w-auto!"
            value={bucket}
            onChange={({ target }) => setBucket(target.value as Bucket)}
          >
            {Object.entries(buckets).map(([each, name]) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </Select>
          <Button asChild>
            <a href={csvOf(kind, bucket)} download={`${kind}.csv`}>
              CSV
            </a>
          </Button>
        </div>
      }
    >
      <Loaded query={query} skeleton={<Skeleton className="h-72" />}>
        {(spends) => <Shown spends={spends} bucket={bucket} />}
      </Loaded>
    </Card>
  );
}

function Shown({ spends, bucket }: { spends: Spend[]; bucket: Bucket }) {
  const newestFirst = useMemo(() => [...spends].reverse(), [spends]);
  const total = spends.reduce((sum, { amount }) => sum + amount, 0);
  if (spends.length === 0) {
    return <p className="py-10 text-center text-muted">Nothing was spent on these in this time.</p>;
  }
  return (
    <>
      <p className="mb-4 text-muted">
        <span className="text-xl font-semibold text-text">{dollars(total)}</span> in all
      </p>
      <SpendBars spends={spends} bucket={bucket} />
      <div className="mt-6">
        <Table
          label="What was spent"
          columns={columns}
          rows={newestFirst}
          idOf={({ time, on }) => `${time} ${on}`}
          rowHeight={40}
        />
      </div>
    </>
  );
}

const columns: Column<Spend>[] = [
  {
    title: "From",
    width: "9rem",
    cell: ({ time }) => <time dateTime={time}>{time.slice(0, 16).replace("T", " ")}</time>,
  },
  { title: "On", width: "minmax(6rem, 2fr)", cell: ({ on }) => on },
  {
    title: "Ran",
    width: "7rem",
    right: true,
    from: "md",
    cell: ({ timeBilledMs }) => (timeBilledMs ? duration(timeBilledMs) : "–"),
  },
  {
    title: "Disk",
    width: "5rem",
    right: true,
    from: "md",
    cell: ({ diskSpaceBilledGb }) => `${diskSpaceBilledGb} GB`,
  },
  { title: "Amount", width: "5.5rem", right: true, cell: ({ amount }) => dollars(amount) },
];
