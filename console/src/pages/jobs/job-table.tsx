// The table of jobs, with a selection for bulk actions.

import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { CopyButton } from "../../components/control/copy.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { EndpointName } from "../../components/data/resource-name.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatDuration } from "../../components/format/units.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { JobStatus } from "./job-status.tsx";

type Job = Schema["JobSummary"];

interface Props {
  rows: Job[];
  /** Whether the table has an endpoint column. */
  showEndpoint: boolean;
  onEnd: () => void;
  onSight: (first: number, last: number) => void;
}

export function JobTable({ rows, showEndpoint, onEnd, onSight }: Props) {
  const [selected, setSelected] = useState<Selection>(new Map());
  const mayWrite = useCanWrite("queue");
  const visibleColumns = useMemo(() => {
    const all = [...columns, ...(showEndpoint ? [endpointColumn] : []), ...timeColumns];
    return mayWrite ? [selectionColumn(selected, setSelected), ...all] : all;
  }, [mayWrite, selected, showEndpoint]);
  return (
    <>
      <BulkActions jobs={[...selected.values()]} onDone={() => setSelected(new Map())} />
      <Table
        label="Jobs"
        columns={visibleColumns}
        rows={rows}
        idOf={idOf}
        rowHeight={44}
        onEndReached={onEnd}
        onVisibleRange={onSight}
      />
    </>
  );
}

const idOf = ({ id }: Job) => id;

type Selection = ReadonlyMap<string, Job>;

function selectionColumn(
  selected: Selection,
  onChange: (selected: Selection) => void,
): Column<Job> {
  const toggle = (job: Job) => {
    const now = new Map(selected);
    if (!now.delete(job.id)) now.set(job.id, job);
    onChange(now);
  };
  return {
    title: "Select",
    isTitleHidden: true,
    width: "1.25rem",
    cell: (job) => (
      <input
        type="checkbox"
        aria-label={`Select job ${job.id}`}
        checked={selected.has(job.id)}
        onChange={() => toggle(job)}
        className="block size-4 cursor-pointer accent-accent"
      />
    ),
  };
}

const columns: Column<Job>[] = [
  {
    title: "Job",
    width: "minmax(8rem, 2fr)",
    cell: ({ id }) => (
      <span className="flex items-center gap-1">
        <Link to="/jobs/$jobId" params={{ jobId: id }} className="truncate hover:underline">
          <code>{id}</code>
        </Link>
        <CopyButton small text={id} label={`Copy ${id}`} />
      </span>
    ),
  },
  { title: "Status", width: "7rem", cell: ({ status }) => <JobStatus state={status} /> },
];

const endpointColumn: Column<Job> = {
  title: "Endpoint",
  width: "minmax(6rem, 1fr)",
  minWidth: "md",
  cell: ({ endpointId }) => (
    <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
      <EndpointName id={endpointId} />
    </Link>
  ),
};

const DurationCell = (ms: number | undefined) =>
  ms === undefined ? <span className="text-muted">–</span> : formatDuration(ms);

const timeColumns: Column<Job>[] = [
  {
    title: "Queue time",
    width: "6.5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ delayTime }) => DurationCell(delayTime),
  },
  {
    title: "Execution time",
    width: "8.5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ executionTime }) => DurationCell(executionTime),
  },
  {
    title: "Retries",
    width: "4rem",
    alignRight: true,
    minWidth: "lg",
    cell: ({ retries }) => retries || <span className="text-muted">–</span>,
  },
  {
    title: "Submitted",
    width: "6.5rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ submittedAt }) => <RelativeTime at={submittedAt} />,
  },
];
