// The page of a Flash app: its environments with their endpoints, and its builds.

import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { actionsColumn, type Column, Table } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { DeployBuild } from "./deploy-build.tsx";
import {
  type FlashApp,
  type FlashBuild,
  type FlashEnvironment,
  useFlashApps,
  useFlashWrite,
} from "./use-flash-apps.ts";

const route = getRouteApi("/inside/flash/apps/$flashAppId");

export function FlashAppPage() {
  const { flashAppId } = route.useParams();
  const [isDeleting, setDeleting] = useState(false);
  const mayWrite = useCanWrite();
  const query = useFlashApps((apps) => apps.find(({ id }) => id === flashAppId) ?? null);
  if (query.data === null) return <NotFoundPage />;
  const app = query.data;
  return (
    <Page
      name={app?.name ?? "Flash app"}
      title={
        app ? (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {app.name}
            <span className="text-sm font-normal text-muted">
              <Copyable text={app.id} />
            </span>
          </span>
        ) : (
          <Skeleton className="h-8 w-56" />
        )
      }
      back={<Link to="/flash">Flash apps</Link>}
      actions={
        app &&
        mayWrite && (
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-80" />}>
        {(found) => found && <Body app={found} />}
      </QueryResult>
      {app && isDeleting && <DeleteApp app={app} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Body({ app }: { app: FlashApp }) {
  const [deploying, setDeploying] = useState<FlashBuild | null>(null);
  const mayWrite = useCanWrite();
  const { flashEnvironments: environments, flashBuilds: builds } = app;
  return (
    <div className="space-y-8">
      <section>
        <h2 className="mb-3 text-lg font-medium">Environments</h2>
        {environments.length === 0 ? (
          <p className="text-muted">
            None yet. Run <code>flash deploy</code> in the folder of the app.
          </p>
        ) : (
          <Table
            label="Environments"
            columns={environmentColumns}
            rows={environments}
            idOf={({ id }) => id}
          />
        )}
      </section>
      <section>
        <h2 className="mb-3 text-lg font-medium">Builds</h2>
        {builds.length === 0 ? (
          <p className="text-muted">None yet.</p>
        ) : (
          <Table
            label="Builds"
            columns={buildColumns(environments, mayWrite ? setDeploying : null)}
            rows={builds}
            idOf={({ id }) => id}
          />
        )}
      </section>
      {deploying && <DeployBuild app={app} build={deploying} onClose={() => setDeploying(null)} />}
    </div>
  );
}

const environmentColumns: Column<FlashEnvironment>[] = [
  {
    title: "Environment",
    width: "minmax(8rem, 1fr)",
    cell: ({ id, name }) => <NameCell id={id} name={name} />,
  },
  {
    title: "Endpoints",
    width: "minmax(9rem, 2fr)",
    cell: ({ endpoints }) =>
      endpoints.map(({ id, name }) => (
        <Link
          key={id}
          to="/serverless/$endpointId"
          params={{ endpointId: id }}
          className="mr-3 hover:underline"
        >
          {name}
        </Link>
      )),
  },
  {
    title: "Deployed build",
    width: "minmax(8rem, 1fr)",
    minWidth: "sm",
    cell: ({ activeBuildId }) =>
      activeBuildId ? <code>{activeBuildId}</code> : <span className="text-muted">None</span>,
  },
  {
    title: "Created",
    width: "6.5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

function buildColumns(
  environments: FlashEnvironment[],
  deploy: ((build: FlashBuild) => void) | null,
): Column<FlashBuild>[] {
  const columns: Column<FlashBuild>[] = [
    { title: "Build", width: "minmax(7rem, 1fr)", cell: ({ id }) => <Copyable text={id} /> },
    {
      title: "Deployed to",
      width: "minmax(8rem, 2fr)",
      cell: ({ id }) =>
        environments
          .filter(({ activeBuildId }) => activeBuildId === id)
          .map(({ name }) => name)
          .join(", "),
    },
    {
      title: "Uploaded",
      width: "6.5rem",
      alignRight: true,
      minWidth: "sm",
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
  if (!deploy || environments.length === 0) return columns;
  return [
    ...columns,
    actionsColumn(
      (build) => (
        <Button small onClick={() => deploy(build)}>
          Deploy
        </Button>
      ),
      "6rem",
    ),
  ];
}

const DELETE_APP = "mutation deleteApp($id: String!) { deleteFlashApp(flashAppId: $id) }";

function DeleteApp({ app, onClose }: { app: FlashApp; onClose: () => void }) {
  const navigate = useNavigate();
  const write = useFlashWrite<{ id: string }>(DELETE_APP, `Flash app ${app.name} deleted`);
  const run = async () => {
    await write.run({ id: app.id });
    await navigate({ to: "/flash" });
  };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${app.name}?`}
      action="Delete app"
      confirmText={app.name}
      onConfirm={run}
    >
      <p>
        Its environments and builds are deleted. Delete the endpoints of its environments first;
        otherwise nothing is deleted.
      </p>
    </ConfirmDialog>
  );
}
