// Jobs as rows, of one endpoint or of all, and what is done with several of them at once.

import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration } from "../../parts/units.ts";
import { JobStatus } from "./job-status.tsx";
import { ManyJobs } from "./many-jobs.tsx";

type Job = Schema["JobSummary"];

interface Props {
  rows: Job[];
  /** Whether each row says whose it is. */
  ofAll: boolean;
  onEnd: () => void;
  onSight: (first: number, last: number) => void;
}

export function JobTable({ rows, ofAll, onEnd, onSight }: Props) {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const mayWrite = useMayWrite("queue");
  const shown = useMemo(() => {
    const all = [...columns, ...(ofAll ? [endpoint] : []), ...times];
    return mayWrite ? [choiceOf(chosen, setChosen), ...all] : all;
  }, [mayWrite, chosen, ofAll]);
  return (
    <>
      <ManyJobs jobs={[...chosen.values()]} onDone={() => setChosen(new Map())} />
      <Table
        label="Jobs"
        columns={shown}
        rows={rows}
        idOf={idOf}
        rowHeight={44}
        onEnd={onEnd}
        onSight={onSight}
      />
    </>
  );
}

const idOf = ({ id }: Job) => id;

type Chosen = ReadonlyMap<string, Job>;

function choiceOf(chosen: Chosen, onChange: (chosen: Chosen) => void): Column<Job> {
  const toggle = (job: Job) => {
    const now = new Map(chosen);
    if (!now.delete(job.id)) now.set(job.id, job);
    onChange(now);
  };
  return {
    title: "Choose",
    untitled: true,
    width: "1.25rem",
    cell: (job) => (
      <input
        type="checkbox"
        aria-label={`Choose job ${job.id}`}
        checked={chosen.has(job.id)}
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
      <Link to="/jobs/$jobId" params={{ jobId: id }} className="hover:underline">
        <code>{id}</code>
      </Link>
    ),
  },
  { title: "State", width: "7rem", cell: ({ status }) => <JobStatus state={status} /> },
];

const endpoint: Column<Job> = {
  title: "Endpoint",
  width: "minmax(6rem, 1fr)",
  from: "md",
  cell: ({ endpointId }) => (
    <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
      <code>{endpointId}</code>
    </Link>
  ),
};

const lasted = (ms: number | undefined) =>
  ms === undefined ? <span className="text-muted">–</span> : duration(ms);

const times: Column<Job>[] = [
  {
    title: "Waited",
    width: "5.5rem",
    right: true,
    from: "md",
    cell: ({ delayTime }) => lasted(delayTime),
  },
  {
    title: "Ran",
    width: "5.5rem",
    right: true,
    from: "md",
    cell: ({ executionTime }) => lasted(executionTime),
  },
  {
    title: "Retries",
    width: "4rem",
    right: true,
    from: "lg",
    cell: ({ retries }) => retries || <span className="text-muted">–</span>,
  },
  {
    title: "Submitted",
    width: "6.5rem",
    right: true,
    from: "sm",
    cell: ({ submittedAt }) => <Ago at={submittedAt} />,
  },
];
