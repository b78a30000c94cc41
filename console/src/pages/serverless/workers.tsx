// The workers of an endpoint: the running ones, and the last that ended.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { CopyButton } from "../../components/control/copy.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { SimulatedBadge } from "../../components/data/simulated-badge.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatDuration } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { WorkerPhase } from "../workers/worker-phase.tsx";

type Worker = Schema["Worker"];

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointWorkers() {
  const { endpointId } = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}/workers", {
    params: { path: { endpointId }, query: { ended: 50 } },
  });
  return (
    <QueryResult query={query} skeleton={<SkeletonRows rows={4} />}>
      {(workers) =>
        workers.length === 0 ? (
          <Empty title="No workers yet">
            Workers start when a job is queued or a request comes.
          </Empty>
        ) : (
          <Table label="Workers" columns={columns} rows={workers} idOf={({ id }) => id} />
        )
      }
    </QueryResult>
  );
}

const columns: Column<Worker>[] = [
  {
    title: "Worker",
    sortBy: ({ id }) => id,
    width: "minmax(8rem, 2fr)",
    cell: ({ id, driver }) => (
      <span className="flex items-center gap-1">
        <Link
          to="/workers/$workerId"
          params={{ workerId: id }}
          className="truncate hover:underline"
        >
          <code>{id}</code>
        </Link>
        <CopyButton small text={id} label={`Copy ${id}`} />
        {driver === "simulated" && <SimulatedBadge />}
      </span>
    ),
  },
  {
    title: "Status",
    sortBy: ({ phase }) => phase,
    width: "minmax(7rem, 1fr)",
    cell: (worker) => <WorkerPhase worker={worker} />,
  },
  {
    title: "Reason",
    sortBy: ({ unhealthy, reason, download }) => unhealthy ?? reason ?? download?.model,
    width: "minmax(6rem, 2fr)",
    minWidth: "lg",
    cell: ({ unhealthy, reason, download }) => (
      <span className="text-muted">{unhealthy ?? reason ?? download?.model ?? ""}</span>
    ),
  },
  {
    title: "Jobs",
    sortBy: ({ jobs }) => jobs,
    width: "3.5rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ jobs }) => jobs,
  },
  {
    title: "Jobs done",
    sortBy: ({ served }) => served,
    width: "5.5rem",
    alignRight: true,
    cell: ({ served }) => served,
  },
  {
    title: "Cold start",
    sortBy: ({ createdAt, readyAt }) => readyAt && Date.parse(readyAt) - Date.parse(createdAt),
    width: "5.5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ createdAt, readyAt }) =>
      readyAt ? formatDuration(Date.parse(readyAt) - Date.parse(createdAt)) : "–",
  },
  {
    title: "Version",
    sortBy: ({ version }) => version,
    width: "4rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ version }) => version,
  },
  timeColumn("Created", ({ createdAt }) => createdAt, "sm"),
];
