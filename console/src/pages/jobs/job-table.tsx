// The table of jobs, with a selection for bulk actions.

import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { CopyButton } from "../../components/control/copy.tsx";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatDuration, formatExactDollars } from "../../components/format/units.ts";
import { BulkActions } from "./bulk/bulk-actions.tsx";
import { MatchActions } from "./bulk/match-actions.tsx";
import { errorLine } from "./job-error.tsx";
import { JobStatus } from "./job-status.tsx";
import type { JobFilter } from "./use-job-pages.ts";

type Job = Schema["JobSummary"];

interface Props {
  rows: Job[];
  filter: JobFilter;
  /** Null if an id is enough. */
  name: JobName | null;
  onEnd: () => void;
  onSight: (first: number, last: number) => void;
}

export function JobTable({ rows, filter, name, onEnd, onSight }: Props) {
  const [selected, setSelected] = useState<Selection>(new Map());
  const isAll = selected === "all";
  const clear = () => setSelected(new Map());
  const mayWrite = useCanWrite("queue");
  const longestMs = Math.max(
    ...rows.map(({ delayTime = 0, executionTime = 0 }) => delayTime + executionTime),
  );
  const visibleColumns = useMemo(() => {
    const all = [
      jobColumn(name),
      statusColumn,
      summaryColumn,
      durationColumn(longestMs),
      ...lastColumns,
    ];
    return mayWrite ? [selectionColumn(selected, setSelected), ...all] : all;
  }, [mayWrite, selected, name, longestMs]);
  return (
    <>
      {isAll ? (
        <MatchActions filter={filter} onDone={clear} />
      ) : (
        <BulkActions
          jobs={[...selected.values()]}
          onSelectAll={() => setSelected("all")}
          onDone={clear}
        />
      )}
      <Table
        label="Jobs"
        columns={visibleColumns}
        rows={rows}
        idOf={idOf}
        rowHeight={52}
        onEndReached={onEnd}
        onVisibleRange={onSight}
      />
    </>
  );
}

const idOf = ({ id }: Job) => id;

/** The selected jobs, or all that match the filters. */
type Selection = ReadonlyMap<string, Job> | "all";

function selectionColumn(
  selected: Selection,
  onChange: (selected: Selection) => void,
): Column<Job> {
  const isAll = selected === "all";
  const toggle = (job: Job) => {
    const now = new Map(isAll ? [] : selected);
    if (!now.delete(job.id)) now.set(job.id, job);
    onChange(now);
  };
  return {
    title: "Select",
    header: (
      <input
        type="checkbox"
        aria-label="Select all jobs that match"
        checked={isAll}
        onChange={() => onChange(isAll ? new Map() : "all")}
        className="block size-4 cursor-pointer accent-accent"
      />
    ),
    width: "1.25rem",
    cell: (job) => (
      <input
        type="checkbox"
        aria-label={`Select job ${job.id}`}
        checked={isAll || selected.has(job.id)}
        onChange={() => toggle(job)}
        className="block size-4 cursor-pointer accent-accent"
      />
    ),
  };
}

/** What a job is shown by, above its id. */
export type JobName = "endpoint" | "item";

const names: Record<JobName, (job: Job) => ReactNode> = {
  endpoint: ({ endpointId }) => <EndpointName id={endpointId} />,
  item: ({ batchIndex }) => `Item ${batchIndex}`,
};

function jobColumn(name: JobName | null): Column<Job> {
  const cell = (job: Job) => {
    const { id } = job;
    const link = (text: ReactNode) => (
      <Link to="/jobs/$jobId" params={{ jobId: id }} className="truncate hover:underline">
        {text}
      </Link>
    );
    if (name) return <NameCell name={link(names[name](job))} id={id} />;
    return (
      <span className="flex items-center gap-1">
        {link(<code>{id}</code>)}
        <CopyButton small text={id} label={`Copy ${id}`} />
      </span>
    );
  };
  return { title: "Job", width: "minmax(7rem, 1.5fr)", cell };
}

const statusColumn: Column<Job> = {
  title: "Status",
  width: "7rem",
  cell: ({ status, submittedAt }) => (
    <>
      <JobStatus state={status} />
      <div className="text-xs text-muted sm:hidden">
        <RelativeTime at={submittedAt} />
      </div>
    </>
  ),
};

const summaryColumn: Column<Job> = {
  title: "Input or error",
  width: "minmax(8rem, 3fr)",
  minWidth: "sm",
  cell: ({ error, inputStart }) =>
    error ? (
      <span className="block truncate text-bad" title={errorLine(error)}>
        {errorLine(error)}
      </span>
    ) : (
      <code className="block truncate text-muted" title={inputStart}>
        {inputStart ?? "Long input"}
      </code>
    ),
};

/** The wait and the execution on a scale that all rows share. */
function durationColumn(longestMs: number): Column<Job> {
  return {
    title: "Wait and execution",
    width: "11rem",
    minWidth: "md",
    cell: ({ delayTime, executionTime }) =>
      delayTime === undefined ? (
        <span className="text-muted">–</span>
      ) : (
        <DurationBar waitMs={delayTime} runMs={executionTime} longestMs={longestMs} />
      ),
  };
}

interface DurationProps {
  waitMs: number;
  runMs: number | undefined;
  longestMs: number;
}

function DurationBar({ waitMs, runMs, longestMs }: DurationProps) {
  const share = (ms: number) => `${(100 * ms) / Math.max(1, longestMs)}%`;
  return (
    <span className="flex w-full flex-col gap-1 text-xs">
      <span className="flex justify-between gap-2">
        <span className="text-muted">{formatDuration(waitMs)}</span>
        <span>{runMs !== undefined && formatDuration(runMs)}</span>
      </span>
      <span className="flex h-1 overflow-hidden rounded-full bg-sunken" aria-hidden>
        <span className="bg-info" style={{ width: share(waitMs) }} />
        <span className="bg-accent" style={{ width: share(runMs ?? 0) }} />
      </span>
    </span>
  );
}

const lastColumns: Column<Job>[] = [
  {
    title: "Worker",
    width: "minmax(5rem, 1fr)",
    minWidth: "lg",
    cell: ({ workerId }) =>
      workerId ? (
        <Link to="/workers/$workerId" params={{ workerId }} className="truncate hover:underline">
          <code>{workerId}</code>
        </Link>
      ) : (
        <span className="text-muted">–</span>
      ),
  },
  {
    title: "Cost",
    width: "5.5rem",
    alignRight: true,
    minWidth: "lg",
    cell: ({ cost }) =>
      cost > 0 ? formatExactDollars(cost) : <span className="text-muted">–</span>,
  },
  {
    title: "Submitted",
    width: "6.5rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ submittedAt }) => <RelativeTime at={submittedAt} />,
  },
];
