// The list of batches: of the account, or of one endpoint.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { EndpointName } from "../../components/control/resource-name.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { RelativeTime, timeColumn } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import type { Column } from "../../components/data/table.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { BatchProgress, BatchStatus } from "./batch-status.tsx";

export function Batches() {
  return (
    <Page
      title="Batches"
      lead="Jobs that were submitted in one call. The newest 100, newest first."
    >
      <BatchList />
    </Page>
  );
}

const route = getRouteApi("/inside/serverless/$endpointId");

/** The tab of an endpoint. */
export function EndpointBatches() {
  return <BatchList {...route.useParams()} />;
}

function BatchList({ endpointId }: { endpointId?: string }) {
  const query = api.useQuery("get", "/v1/batches", {
    params: { query: endpointId === undefined ? {} : { endpointId } },
  });
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints");
  const nameOf = (id: string) => endpoints?.find((each) => each.id === id)?.name;
  return (
    <SearchableTable
      query={query}
      singular="batch"
      plural="batches"
      columns={columns}
      idOf={({ id }) => id}
      textsOf={(batch) => [batch.id, batch.endpointId, nameOf(batch.endpointId), batch.status]}
      empty={<NoBatches endpointId={endpointId} />}
    />
  );
}

const columns: Column<Schema["BatchSummary"]>[] = [
  {
    title: "Batch",
    sortBy: ({ id }) => id,
    width: "minmax(8rem, 1fr)",
    cell: ({ id, endpointId }) => (
      <NameCell
        name={
          <Link to="/batches/$batchId" params={{ batchId: id }} className="hover:underline">
            <EndpointName id={endpointId} />
          </Link>
        }
        id={id}
      />
    ),
  },
  {
    title: "Status",
    sortBy: ({ status }) => status,
    width: "7rem",
    minWidth: "sm",
    cell: ({ status }) => <BatchStatus status={status} />,
  },
  {
    title: "Progress",
    sortBy: ({ total, counts: { completed, cancelled, failed, timedOut } }) =>
      (completed + cancelled + failed + timedOut) / total,
    width: "minmax(7rem, 1.5fr)",
    cell: (batch) => <BatchProgress batch={batch} />,
  },
  timeColumn("Created", ({ createdAt }) => createdAt, "md"),
  {
    title: "Finished",
    sortBy: ({ finishedAt }) => finishedAt,
    width: "6.5rem",
    minWidth: "lg",
    alignRight: true,
    cell: ({ finishedAt }) =>
      finishedAt ? <RelativeTime at={finishedAt} /> : <span className="text-muted">–</span>,
  },
];

function NoBatches({ endpointId = "ENDPOINT_ID" }: { endpointId: string | undefined }) {
  const items = ["A hill", "A lake"].map((prompt) => ({ input: { prompt } }));
  return (
    <Empty title="No batches yet" curl={curl("POST", "/v1/batches", { endpointId, items })}>
      Submit up to 5,000 jobs in one call, follow them under one id, and get one webhook when all
      have ended.
    </Empty>
  );
}
