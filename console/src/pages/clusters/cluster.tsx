// The page of a cluster: its members by rank.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema, type SchemaV2 } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { useCanWrite } from "../../api/session.ts";
import { Copyable } from "../../components/control/copy.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { Status, type Tone } from "../../components/data/status.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatHourlyPrice } from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { LabelsFact } from "../../components/layout/labels-fact.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton, SkeletonRows } from "../../components/layout/skeleton.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { ClusterActions } from "./cluster-actions.tsx";
import { ClusterStatus } from "./cluster-status.tsx";
import { ClusterHardware, typeNames } from "./clusters.tsx";

type Member = Pick<SchemaV2["Pod"], "id" | "name" | "status" | "image" | "cost" | "cluster">;

const route = getRouteApi("/inside/clusters/$clusterId");

export function ClusterPage() {
  const { clusterId } = route.useParams();
  const mayWrite = useCanWrite();
  const params = { path: { clusterId } };
  const query = api.useQuery("get", "/v2/clusters/{clusterId}", { params });
  if (isMissing(query)) return <NotFoundPage />;
  const cluster = query.data;
  return (
    <Page
      name={cluster?.name ?? "Cluster"}
      title={
        cluster ? (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {cluster.name}
            <ClusterStatus pods={cluster.pods} />
            <span className="text-sm font-normal text-muted">
              <Copyable text={cluster.id} />
            </span>
          </span>
        ) : (
          <Skeleton className="h-8 w-56" />
        )
      }
      back={<Link to="/clusters">Clusters</Link>}
      actions={cluster && mayWrite && <ClusterActions cluster={cluster} />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-80" />}>
        {(found) => <Body cluster={found} />}
      </QueryResult>
    </Page>
  );
}

function Body({ cluster }: { cluster: Schema["Cluster"] }) {
  const params = { path: { clusterId: cluster.id } };
  const query = api.useQuery("get", "/v2/clusters/{clusterId}/pods", { params });
  const members = query.data?.pods ?? [];
  const cost = members.reduce((sum, pod) => sum + pod.cost, 0);
  const [first] = members;
  return (
    <div className="space-y-6">
      <Card title="Details">
        <Facts>
          <Fact name="Type">{typeNames[cluster.type]}</Fact>
          <Fact name="Hardware">
            <ClusterHardware cluster={cluster} />
          </Fact>
          <Fact name="Image">{first?.image ?? cluster.template ?? ""}</Fact>
          <Fact name="Network">{cluster.network?.cidr ?? "that of the machines"}</Fact>
          <Fact name="First member">
            {first?.cluster ? <Copyable text={`MASTER_ADDR=${first.cluster.ip}`} /> : null}
          </Fact>
          <Fact name="Price">{formatHourlyPrice(cost)}</Fact>
          <LabelsFact of={cluster} />
          <Fact name="Created">
            <RelativeTime at={cluster.createdAt} />
          </Fact>
        </Facts>
      </Card>
      <QueryResult query={query} skeleton={<SkeletonRows rows={2} />}>
        {({ pods }) => (
          <Table label="Members" columns={columns} rows={pods} idOf={({ id }) => id} />
        )}
      </QueryResult>
    </div>
  );
}

const tones: Partial<Record<Member["status"], Tone>> = { RUNNING: "good", EXITED: "off" };

const columns: Column<Member>[] = [
  { title: "Rank", width: "4rem", cell: ({ cluster }) => cluster?.rank },
  {
    title: "Pod",
    width: "minmax(9rem, 2fr)",
    cell: ({ id, name }) => (
      <NameCell
        id={id}
        name={
          <Link to="/pods/$podId/{-$tab}" params={{ podId: id }} className="hover:underline">
            {name}
          </Link>
        }
      />
    ),
  },
  {
    title: "Status",
    width: "8rem",
    cell: ({ status }) => <Status tone={tones[status] ?? "info"}>{statusText(status)}</Status>,
  },
  { title: "Address", width: "9rem", minWidth: "sm", cell: ({ cluster }) => cluster?.ip },
  {
    title: "Logs",
    width: "5rem",
    minWidth: "sm",
    cell: ({ id }) => (
      <Link
        to="/pods/$podId/{-$tab}"
        params={{ podId: id, tab: "logs" }}
        className="hover:underline"
      >
        Logs
      </Link>
    ),
  },
  {
    title: "Price",
    width: "6rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ cost }) => formatHourlyPrice(cost),
  },
];

const statusText = (status: string) => status[0] + status.slice(1).toLowerCase();
