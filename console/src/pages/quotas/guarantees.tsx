// What is guaranteed to projects, and how it stands.

import type { Schema } from "../../api/client.ts";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatCount } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";

type Row = Schema["GuaranteeUse"] & { project: string; gpuTypeId: string };

export function Guarantees({ projects }: { projects: Schema["Quota"]["projects"] }) {
  const rows = projects.flatMap(({ name, guaranteedGpus = {} }) =>
    Object.entries(guaranteedGpus).map(([gpuTypeId, use]) => ({
      ...use,
      project: name,
      gpuTypeId,
    })),
  );
  if (rows.length === 0) return null;
  return (
    <Card title="Guaranteed GPUs" flush className="mt-6">
      <Table
        label="Guaranteed GPUs"
        columns={columns}
        rows={rows}
        idOf={({ project, gpuTypeId }) => `${project} ${gpuTypeId}`}
      />
    </Card>
  );
}

const count = (title: string, of: (row: Row) => number): Column<Row> => ({
  title,
  width: "minmax(4.25rem, 1fr)",
  alignRight: true,
  cell: (row) => formatCount(of(row)),
});

const columns: Column<Row>[] = [
  { title: "Project", width: "minmax(4rem, 2fr)", cell: ({ project }) => project },
  { title: "GPU type", width: "minmax(5.5rem, 2fr)", cell: ({ gpuTypeId }) => gpuTypeId },
  count("Guaranteed", (row) => row.count),
  { ...count("In use", ({ used }) => used), minWidth: "sm" },
  { ...count("Free", ({ free }) => free), minWidth: "md" },
  { ...count("Lent to spot", ({ lent }) => lent), minWidth: "sm" },
  {
    title: "Short",
    width: "minmax(3rem, 1fr)",
    alignRight: true,
    cell: ({ short }) => <span className={short > 0 ? "text-warn" : ""}>{formatCount(short)}</span>,
  },
];
