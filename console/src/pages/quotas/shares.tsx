// What projects have used of GPUs over time, beside their weights.

import type { Schema } from "../../api/client.ts";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatCount } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";

type Quota = Schema["Quota"];
type Row = Schema["Share"] & { id: string; name: string };

/** Nothing without projects: all that waits is then served in its order. */
export function Shares({ quota }: { quota: Quota }) {
  const { projects, shareWithoutProject, shareHalfLifeHours } = quota;
  if (projects.length === 0) return null;
  const rows: Row[] = [
    ...projects.map(({ id, name, share }) => ({ ...share, id, name })),
    { ...shareWithoutProject, id: "none", name: "No project" },
  ];
  return (
    <Card title="Share over time" flush className="mt-6">
      <Table label="Share over time" columns={columns} rows={rows} idOf={({ id }) => id} />
      <p className="p-4 text-sm text-muted">
        GPU-hours count half as much after every {formatCount(shareHalfLifeHours)} hours. In line,
        Pods of projects with few GPU-hours for their weight come first.
      </p>
    </Card>
  );
}

const columns: Column<Row>[] = [
  { title: "Project", width: "minmax(5rem, 2fr)", cell: ({ name }) => name },
  {
    title: "GPU-hours",
    width: "minmax(4.5rem, 1fr)",
    alignRight: true,
    cell: ({ gpuHours }) => gpuHours.toFixed(1),
  },
  {
    title: "Share",
    width: "minmax(3rem, 1fr)",
    alignRight: true,
    cell: ({ part }) => `${Math.round(part * 100)}%`,
  },
  {
    title: "Weight",
    width: "minmax(3rem, 1fr)",
    alignRight: true,
    cell: ({ weight }) => formatCount(weight),
  },
];
