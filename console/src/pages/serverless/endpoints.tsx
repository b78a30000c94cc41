// The page of endpoints.

import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { matchesSearch, SearchInput } from "../../components/control/search-input.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { useOwnerFilter, withOwners } from "../../components/data/owner-filter.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { formatShown } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { useSearchText } from "../../use-search-param.ts";
import { GpuName } from "../pods/gpu-name.tsx";
import {
  CostToday,
  countEnded,
  EndedJobs,
  ErrorRate,
  ExecutionTime,
  errorRate,
} from "./activity.tsx";
import { JobCounts, WorkerCounts } from "./health.tsx";

type Endpoint = Schema["Endpoint"];

export function Endpoints() {
  const query = api.useQuery("get", "/v1/endpoints");
  const [search, setSearch] = useSearchText();
  const owner = useOwnerFilter();
  const { data: activities } = api.useQuery("get", "/v1/endpoint-activity");
  const columns = useMemo(() => endpointColumns(activities), [activities]);
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
        {(all) => {
          if (all.length === 0) return <NoEndpoints mayWrite={mayWrite} />;
          const endpoints = all.filter(owner.matches);
          const rows = endpoints.filter((endpoint) => matchesSearch(search, ...textsOf(endpoint)));
          return (
            <>
              <div className="mb-3 flex flex-wrap items-center gap-3">
                {owner.control}
                <SearchInput label="Search endpoints" value={search} onChange={setSearch} />
                <p className="ml-auto text-sm text-muted">
                  {formatShown(rows.length, endpoints.length, "endpoint")}
                </p>
              </div>
              <Table
                label="Endpoints"
                columns={withOwners(columns, all, 1)}
                rows={rows}
                idOf={({ id }) => id}
              />
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

const textsOf = (endpoint: Endpoint) => [
  endpoint.name,
  endpoint.id,
  ...endpoint.gpuTypeIds,
  endpoint.createdBy?.name,
  ...labelTexts(endpoint),
];

type Activities = Schema["EndpointActivity"][] | undefined;

function endpointColumns(activities: Activities): Column<Endpoint>[] {
  return [...loadColumns, ...activityColumns(activities), hardwareColumn];
}

const loadColumns: Column<Endpoint>[] = [
  {
    title: "Endpoint",
    sortBy: ({ name, id }) => name || id,
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => (
      <NameCell
        name={
          <Link
            to="/serverless/$endpointId"
            params={{ endpointId: id }}
            className="hover:underline"
          >
            {name || id}
          </Link>
        }
        id={id}
      />
    ),
  },
  {
    title: "Jobs",
    width: "minmax(10rem, 1fr)",
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
];

const hardwareColumn: Column<Endpoint> = {
  title: "Hardware",
  sortBy: ({ gpuTypeIds, gpuCount, instanceIds }) =>
    `${[...gpuTypeIds, ...instanceIds][0] ?? ""} ${gpuCount}`,
  width: "minmax(7rem, 1.2fr)",
  minWidth: "xl",
  cell: (endpoint) => <EndpointHardware endpoint={endpoint} />,
};

function activityColumns(activities: Activities): Column<Endpoint>[] {
  const activityOf = ({ id }: Endpoint) => activities?.find(({ endpointId }) => endpointId === id);
  return [
    {
      title: "Last 6 hours",
      sortBy: (endpoint) => countEnded(activityOf(endpoint)),
      width: "7rem",
      minWidth: "sm",
      cell: ({ id }) => <EndedJobs endpointId={id} />,
    },
    {
      title: "Error rate",
      sortBy: (endpoint) => errorRate(activityOf(endpoint)),
      width: "5.5rem",
      alignRight: true,
      minWidth: "sm",
      cell: ({ id }) => <ErrorRate endpointId={id} />,
    },
    {
      title: "Execution p95",
      sortBy: (endpoint) => activityOf(endpoint)?.executionP95Ms,
      width: "7.5rem",
      alignRight: true,
      minWidth: "lg",
      cell: ({ id }) => <ExecutionTime endpointId={id} />,
    },
    {
      title: "Cost today",
      sortBy: (endpoint) => activityOf(endpoint)?.spentToday,
      width: "6rem",
      alignRight: true,
      minWidth: "md",
      cell: ({ id }) => <CostToday endpointId={id} />,
    },
  ];
}

export function EndpointHardware({ endpoint }: { endpoint: Endpoint }) {
  const { computeType, gpuCount, gpuTypeIds, instanceIds } = endpoint;
  if (computeType === "CPU") return instanceIds.join(", ") || "CPU";
  const [first, ...rest] = gpuTypeIds;
  if (first === undefined) return `${gpuCount} × any GPU`;
  return (
    <>
      {gpuCount} × <GpuName id={first} />
      {rest.length > 0 && ` + ${rest.length} more`}
    </>
  );
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
