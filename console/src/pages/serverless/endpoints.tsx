// All endpoints, with what waits for them and who serves them.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { fits, SearchInput } from "../../parts/search.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { counted } from "../../parts/units.ts";
import { JobCounts, WorkerCounts } from "./health.tsx";

type Endpoint = Schema["Endpoint"];

export function Endpoints() {
  const query = api.useQuery("get", "/v1/endpoints");
  const [search, setSearch] = useState("");
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Serverless"
      lead="Endpoints: a queue of jobs each, and workers that come and go with it."
      actions={
        mayWrite && (
          <Button look="primary" asChild>
            <Link to="/serverless/new">New endpoint</Link>
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={5} />}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <NoEndpoints mayWrite={mayWrite} />
          ) : (
            <>
              <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
                <SearchInput label="Search endpoints" value={search} onChange={setSearch} />
                <p className="text-sm text-muted">{counted(endpoints.length, "endpoint")}</p>
              </div>
              <Table
                label="Endpoints"
                columns={columns}
                rows={endpoints.filter(({ name, id, gpuTypeIds }) =>
                  fits(search, name, id, ...gpuTypeIds),
                )}
                idOf={({ id }) => id}
              />
            </>
          )
        }
      </Loaded>
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
        <code className="text-xs text-muted">{id}</code>
      </>
    ),
  },
  {
    title: "Jobs",
    width: "minmax(7rem, 1fr)",
    cell: ({ id }) => <JobCounts endpointId={id} />,
  },
  {
    title: "Workers",
    width: "minmax(7rem, 1fr)",
    from: "sm",
    cell: ({ id, workersMax }) => <WorkerCounts endpointId={id} most={workersMax} />,
  },
  { title: "Runs on", width: "minmax(8rem, 1.5fr)", from: "md", cell: hardware },
  {
    title: "Made",
    width: "6.5rem",
    right: true,
    from: "lg",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

export function hardware({ computeType, gpuCount, gpuTypeIds, instanceIds }: Endpoint): string {
  if (computeType === "CPU") return instanceIds.join(", ") || "CPU";
  const [first, ...rest] = gpuTypeIds.map((id) => id.replace(/^NVIDIA /, ""));
  if (first === undefined) return `${gpuCount} × any GPU, or none`;
  return `${gpuCount} × ${first}${rest.length > 0 ? ` or ${rest.length} more` : ""}`;
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
      An endpoint runs your image only while there are jobs for it, on as many workers as they need.
    </Empty>
  );
}
