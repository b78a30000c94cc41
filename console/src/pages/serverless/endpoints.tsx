// The page of endpoints.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { matchesSearch, SearchInput } from "../../components/control/search-input.tsx";
import { IdLine } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { shortGpuName } from "../pods/hardware.ts";
import { CostToday, EndedJobs, ErrorRate, ExecutionTime } from "./activity.tsx";
import { JobCounts, WorkerCounts } from "./health.tsx";

type Endpoint = Schema["Endpoint"];

export function Endpoints() {
  const query = api.useQuery("get", "/v1/endpoints");
  const [search, setSearch] = useState("");
  const mayWrite = useCanWrite();
  return (
    <Page
      title="Endpoints"
      lead="A job queue, or an HTTP address, with workers that scale with the load."
      actions={
        mayWrite && (
          <Button variant="primary" asChild>
            <Link to="/serverless/new">New endpoint</Link>
          </Button>
        )
      }
    >
      <QueryResult query={query} skeleton={<SkeletonRows rows={5} />}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <NoEndpoints mayWrite={mayWrite} />
          ) : (
            <>
              <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
                <SearchInput label="Search endpoints" value={search} onChange={setSearch} />
                <p className="text-sm text-muted">{formatQuantity(endpoints.length, "endpoint")}</p>
              </div>
              <Table
                label="Endpoints"
                columns={columns}
                rows={endpoints.filter(({ name, id, gpuTypeIds }) =>
                  matchesSearch(search, name, id, ...gpuTypeIds),
                )}
                idOf={({ id }) => id}
              />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

const columns: Column<Endpoint>[] = [
  {
    title: "Endpoint",
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => (
      <>
        <Link
          to="/serverless/$endpointId"
          params={{ endpointId: id }}
          className="block truncate font-medium hover:underline"
        >
          {name || id}
        </Link>
        <IdLine id={id} />
      </>
    ),
  },
  {
    title: "Jobs",
    width: "minmax(8.5rem, 1fr)",
    cell: ({ id, type }) =>
      type === "LB" ? (
        <span className="text-muted">Load balancing</span>
      ) : (
        <JobCounts endpointId={id} />
      ),
  },
  {
    title: "Workers",
    width: "minmax(5rem, 0.7fr)",
    minWidth: "xl",
    cell: ({ id, workersMax }) => <WorkerCounts endpointId={id} maximum={workersMax} />,
  },
  {
    title: "Last 6 hours",
    width: "7rem",
    minWidth: "sm",
    cell: ({ id }) => <EndedJobs endpointId={id} />,
  },
  {
    title: "Error rate",
    width: "4.5rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ id }) => <ErrorRate endpointId={id} />,
  },
  {
    title: "Execution p95",
    width: "6rem",
    alignRight: true,
    minWidth: "lg",
    cell: ({ id }) => <ExecutionTime endpointId={id} />,
  },
  {
    title: "Cost today",
    width: "5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ id }) => <CostToday endpointId={id} />,
  },
  { title: "Hardware", width: "minmax(7rem, 1.2fr)", minWidth: "xl", cell: describeHardware },
];

export function describeHardware({
  computeType,
  gpuCount,
  gpuTypeIds,
  instanceIds,
}: Endpoint): string {
  if (computeType === "CPU") return instanceIds.join(", ") || "CPU";
  const [first, ...rest] = gpuTypeIds.map(shortGpuName);
  if (first === undefined) return `${gpuCount} × any GPU`;
  return `${gpuCount} × ${first}${rest.length > 0 ? ` + ${rest.length} more` : ""}`;
}

function NoEndpoints({ mayWrite }: { mayWrite: boolean }) {
  return (
    <Empty
      title="No endpoints yet"
      actions={
        mayWrite && (
          <Button asChild>
            <Link to="/serverless/new">New endpoint</Link>
          </Button>
        )
      }
      curl={curl("POST", "/v1/endpoints", {
        name: "first",
        templateId: "TEMPLATE_ID",
        gpuTypeIds: ["NVIDIA GeForce RTX 4090"],
        workersMax: 3,
      })}
    >
      An endpoint runs your image on workers that start when jobs arrive and stop when idle.
    </Empty>
  );
}
