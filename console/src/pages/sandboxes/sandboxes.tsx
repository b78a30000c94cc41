// The page of sandboxes.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { Choice } from "../../components/control/segmented-control.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { withOwners } from "../../components/data/owner-filter.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { useSearchOption } from "../../use-search-param.ts";
import { NewSandbox } from "./new-sandbox.tsx";
import { SandboxActions } from "./sandbox-actions.tsx";
import { endOf, isLive, reasonOf, type Sandbox, SandboxState, TimeLeft } from "./sandbox-state.tsx";

const views = { current: "Current", ended: "Ended" };

export function Sandboxes() {
  const [view, setView] = useSearchOption("view", views, "current");
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useCanWrite();
  const params = view === "ended" ? { query: { state: "TERMINATED" as const } } : {};
  const query = api.useQuery(
    "get",
    "/v2/sandboxes",
    { params },
    { select: (list) => list.sandboxes },
  );
  const table = {
    query,
    singular: "sandbox",
    plural: "sandboxes",
    idOf: ({ id }: Sandbox) => id,
    textsOf: (sandbox: Sandbox) => [
      sandbox.id,
      sandbox.name,
      sandbox.imageName,
      ...labelTexts(sandbox),
    ],
  };
  return (
    <Page
      title="Sandboxes"
      lead="CPU containers for code that you do not trust. Each ends by itself."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            New sandbox
          </Button>
        )
      }
    >
      <div className="mb-4">
        <Choice label="Show" value={view} onChange={setView} options={views} />
      </div>
      {/* A sandbox that has ended names no owner. */}
      {view === "current" ? (
        <OwnedTable
          {...table}
          columns={mayWrite ? [...columns, actions] : columns}
          empty={<NoSandboxes />}
        />
      ) : (
        <SearchableTable
          {...table}
          columns={withOwners(columns, query.data ?? [], 1)}
          empty={<NoEndedSandboxes />}
        />
      )}
      {isCreating && <NewSandbox onClose={() => setCreating(false)} />}
    </Page>
  );
}

const columns: Column<Sandbox>[] = [
  {
    title: "Sandbox",
    sortBy: ({ name }) => name,
    width: "minmax(9rem, 2fr)",
    cell: ({ id, name }) => (
      <NameCell
        id={id}
        name={
          <Link to="/sandboxes/$sandboxId" params={{ sandboxId: id }} className="hover:underline">
            {name}
          </Link>
        }
      />
    ),
  },
  {
    title: "Status",
    sortBy: ({ state }) => state,
    width: "7rem",
    cell: (sandbox) => <SandboxState {...sandbox} />,
  },
  {
    title: "Image",
    sortBy: ({ imageName }) => imageName,
    width: "minmax(9rem, 2fr)",
    minWidth: "md",
    cell: ({ imageName }) => <code className="truncate">{imageName}</code>,
  },
  {
    title: "Ends",
    sortBy: endOf,
    width: "minmax(8rem, 1fr)",
    minWidth: "sm",
    cell: (sandbox) =>
      isLive(sandbox) ? (
        <>
          in <TimeLeft until={endOf(sandbox)} />
        </>
      ) : (
        reasonOf(sandbox)
      ),
  },
  timeColumn("Created", ({ createdAt }) => createdAt, "lg"),
];

const actions = actionsColumn<Sandbox>(
  (sandbox) => isLive(sandbox) && <SandboxActions sandbox={sandbox} />,
);

function NoSandboxes() {
  return (
    <Empty
      title="No sandboxes"
      curl={curl("POST", "/v2/sandboxes", {
        imageName: "python:3.12-slim",
        idleTimeoutSeconds: 300,
      })}
    >
      A sandbox runs the commands that you send it, such as those of an agent. It ends after a time
      without a command, and at the end of its lifetime.
    </Empty>
  );
}

function NoEndedSandboxes() {
  return (
    <Empty title="No ended sandboxes">A sandbox is listed here for 7 days after its end.</Empty>
  );
}
