// One endpoint: what stands above each of its parts.

import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { say } from "../../parts/toast.tsx";
import { counted } from "../../parts/units.ts";

type Endpoint = Schema["Endpoint"];

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointPage() {
  const params = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}", { params: { path: params } });
  const name = query.data?.name || params.endpointId;
  return (
    <Page
      title={name}
      lead={<Copyable text={params.endpointId} />}
      back={
        <Link to="/serverless" className="hover:underline">
          Serverless
        </Link>
      }
      actions={query.data && <Actions endpoint={query.data} />}
    >
      <Tabs
        label={`Parts of ${name}`}
        tabs={[
          { to: "/serverless/$endpointId", params, name: "Overview" },
          { to: "/serverless/$endpointId/request", params, name: "Request" },
          { to: "/serverless/$endpointId/jobs", params, name: "Jobs" },
          { to: "/serverless/$endpointId/workers", params, name: "Workers" },
          { to: "/serverless/$endpointId/releases", params, name: "Releases" },
        ]}
      />
      <Loaded query={query} skeleton={<Skeleton className="h-96" />}>
        {() => <Outlet />}
      </Loaded>
    </Page>
  );
}

function Actions({ endpoint: { id, name } }: { endpoint: Endpoint }) {
  const [asks, setAsks] = useState<"purge" | "delete" | null>(null);
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const path = { endpointId: id };
  const purge = async () => {
    const { data, error } = await service.POST("/v2/{endpointId}/purge-queue", {
      params: { path },
    });
    if (error) throw error;
    say(`${counted(data.removed, "job")} cancelled`);
  };
  const remove = async () => {
    const { error } = await service.DELETE("/v1/endpoints/{endpointId}", { params: { path } });
    if (error) throw error;
    say(`Endpoint ${name} is deleted`);
    await navigate({ to: "/serverless" });
  };
  return (
    <>
      <Button asChild>
        <Link to="/serverless/$endpointId/edit" params={path}>
          Edit
        </Link>
      </Button>
      <Menu
        label={`Actions for ${name}`}
        items={[
          { label: "Empty the queue", onSelect: () => setAsks("purge"), danger: true },
          { label: "Delete endpoint", onSelect: () => setAsks("delete"), danger: true },
        ]}
      />
      <Confirm
        open={asks === "purge"}
        onOpenChange={() => setAsks(null)}
        title="Empty the queue?"
        action="Cancel all queued jobs"
        onConfirm={purge}
      >
        <p>All jobs that wait end as cancelled, and cannot be retried. Jobs that run go on.</p>
      </Confirm>
      <Confirm
        open={asks === "delete"}
        onOpenChange={() => setAsks(null)}
        title={`Delete ${name}?`}
        action="Delete endpoint"
        typed={name}
        onConfirm={remove}
      >
        <p>
          Queued jobs are cancelled, its address answers nothing any more, and its workers end when
          they have finished what they run. This cannot be undone.
        </p>
        <p>Its template and its network volumes stay.</p>
      </Confirm>
    </>
  );
}
