// The header and tabs of an endpoint.

import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { isMissing } from "../../api/error-description.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { Tabs } from "../../components/layout/tabs.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";

type Endpoint = Schema["Endpoint"];

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointPage() {
  const params = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}", { params: { path: params } });
  if (isMissing(query)) return <NotFoundPage />;
  const name = query.data?.name || params.endpointId;
  return (
    <Page
      name={name}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {name}
          <span className="text-sm font-normal text-muted">
            <Copyable text={params.endpointId} />
          </span>
        </span>
      }
      back={
        <Link to="/serverless" className="hover:underline">
          Endpoints
        </Link>
      }
      actions={query.data && <Actions endpoint={query.data} />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
        {({ type }) => (
          <>
            <Tabs
              label={`Pages of ${name}`}
              tabs={(type === "LB" ? balancedTabs : queueTabs).map(([to, name]) => {
                return { to, params, name };
              })}
            />
            <Outlet />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

const queueTabs = [
  ["/serverless/$endpointId", "Overview"],
  ["/serverless/$endpointId/request", "Request"],
  ["/serverless/$endpointId/jobs", "Jobs"],
  ["/serverless/$endpointId/batches", "Batches"],
  ["/serverless/$endpointId/workers", "Workers"],
  ["/serverless/$endpointId/schedules", "Schedules"],
  ["/serverless/$endpointId/releases", "Releases"],
] as const;

/** A load-balancing endpoint has no jobs. */
const balancedTabs = queueTabs.filter(([, name]) =>
  ["Overview", "Request", "Workers", "Releases"].includes(name),
);

function Actions({ endpoint: { id, name, type } }: { endpoint: Endpoint }) {
  const [openDialog, setOpenDialog] = useState<"purge" | "delete" | null>(null);
  const navigate = useNavigate();
  const mayWrite = useCanWrite();
  const path = { endpointId: id };
  const purge = useWrite("post", "/v2/{endpointId}/purge-queue", {
    success: ({ removed }) => `${formatQuantity(removed, "job")} cancelled`,
  });
  const remove = useWrite("delete", "/v1/endpoints/{endpointId}", {
    success: `Endpoint ${name} deleted`,
  });
  const close = () => setOpenDialog(null);
  if (!mayWrite) return null;
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
          type === "QB" && {
            label: "Purge queue",
            onSelect: () => setOpenDialog("purge"),
            danger: true,
          },
          { label: "Delete endpoint", onSelect: () => setOpenDialog("delete"), danger: true },
        ]}
      />
      {openDialog === "purge" && (
        <ConfirmDialog
          write={purge}
          onClose={close}
          title="Purge the queue?"
          action="Cancel queued jobs"
          onConfirm={() => purge.run({ params: { path } })}
        >
          <p>All queued jobs are cancelled and cannot be retried. Running jobs continue.</p>
        </ConfirmDialog>
      )}
      {openDialog === "delete" && (
        <ConfirmDialog
          write={remove}
          onClose={close}
          title={`Delete ${name}?`}
          action="Delete endpoint"
          confirmText={name}
          onConfirm={async () => {
            await remove.run({ params: { path } });
            await navigate({ to: "/serverless" });
          }}
        >
          <p>
            {type === "QB" && "Queued jobs are cancelled. "}
            Requests to the endpoint fail, and its workers exit after their current{" "}
            {type === "QB" ? "jobs" : "requests"}. This cannot be undone.
          </p>
          <p>Its template and network volumes are kept.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
