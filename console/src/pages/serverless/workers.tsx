// An endpoint's workers: those that live, and the last that ended.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { duration } from "../../parts/units.ts";
import { WorkerPhase } from "../workers/worker-phase.tsx";

type Worker = Schema["Worker"];

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointWorkers() {
  const { endpointId } = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}/workers", {
    params: { path: { endpointId }, query: { ended: 50 } },
  });
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={4} />}>
      {(workers) =>
        workers.length === 0 ? (
          <Empty title="No workers yet">
            A worker starts by itself as soon as a job waits; send one under Request.
          </Empty>
        ) : (
          <Table label="Workers" columns={columns} rows={workers} idOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

const columns: Column<Worker>[] = [
  {
    title: "Worker",
    width: "minmax(8rem, 2fr)",
    cell: ({ id }) => (
      <Link to="/workers/$workerId" params={{ workerId: id }} className="hover:underline">
        <code>{id}</code>
      </Link>
    ),
  },
  { title: "State", width: "7rem", cell: (worker) => <WorkerPhase worker={worker} /> },
  {
    title: "Why",
    width: "minmax(6rem, 2fr)",
    from: "lg",
    cell: ({ unhealthy, reason }) => (
      <span className="text-muted">{unhealthy ?? reason ?? ""}</span>
    ),
  },
  { title: "Jobs", width: "3.5rem", right: true, from: "sm", cell: ({ jobs }) => jobs },
  { title: "Served", width: "4rem", right: true, cell: ({ served }) => served },
  {
    title: "Cold start",
    width: "5.5rem",
    right: true,
    from: "md",
    cell: ({ createdAt, readyAt }) =>
      readyAt ? duration(Date.parse(readyAt) - Date.parse(createdAt)) : "–",
  },
  { title: "Version", width: "4rem", right: true, from: "md", cell: ({ version }) => version },
  {
    title: "Made",
    width: "6.5rem",
    right: true,
    from: "sm",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];
