// The GPU-hours that Pods held and did not use, in the last 30 days.

import { api, type Schema } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { Choice } from "../../components/control/segmented-control.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { Card } from "../../components/layout/card.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { useSearchOption } from "../../use-search-param.ts";

type Row = Schema["IdleGpuRecord"];

const groupings = { member: "Members", project: "Projects", pod: "Pods", day: "Days" } as const;
type Grouping = keyof typeof groupings;

export function IdleHours() {
  const [grouping, setGrouping] = useSearchOption("idle", groupings, "member");
  const params = { query: { grouping } };
  const query = api.useQuery("get", "/v1/idle-gpu-hours", { params });
  return (
    <Card
      title="Idle GPU-hours, last 30 days"
      flush
      className="mt-6"
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <Choice
            label="Idle GPU-hours by"
            value={grouping}
            onChange={setGrouping}
            options={groupings}
          />
          <Button asChild>
            <a
              href={`/v1/idle-gpu-hours?grouping=${grouping}&format=csv`}
              download={`idle-gpu-hours-by-${grouping}.csv`}
            >
              CSV
            </a>
          </Button>
        </div>
      }
    >
      <QueryResult query={query} skeleton={<SkeletonRows rows={3} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="p-4 text-muted">No Pod held a GPU whose use was measured.</p>
          ) : (
            <Table
              label="Idle GPU-hours"
              columns={columnsBy(grouping)}
              rows={grouping === "day" ? rows.toReversed() : rows}
              idOf={({ id }) => id ?? "none"}
            />
          )
        }
      </QueryResult>
    </Card>
  );
}

const columnsBy = (grouping: Grouping): Column<Row>[] => [
  {
    title: groupings[grouping].slice(0, -1),
    width: "minmax(7rem, 2fr)",
    cell: ({ id, name }) =>
      id === null || grouping === "day" ? name : <NameCell name={name} id={id} />,
  },
  {
    title: "Idle",
    width: "5rem",
    alignRight: true,
    cell: ({ idleGpuHours }) => `${idleGpuHours.toFixed(1)} h`,
  },
  {
    title: "Measured",
    width: "5rem",
    alignRight: true,
    cell: ({ measuredGpuHours }) => `${measuredGpuHours.toFixed(1)} h`,
  },
  {
    title: "Idle share",
    width: "6rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ idleGpuHours, measuredGpuHours }) =>
      measuredGpuHours === 0 ? "–" : `${Math.round((100 * idleGpuHours) / measuredGpuHours)}%`,
  },
];
