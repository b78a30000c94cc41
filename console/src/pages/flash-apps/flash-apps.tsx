// The page of Flash apps.

import { Link } from "@tanstack/react-router";
import { Code } from "../../components/control/copy.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import type { Column } from "../../components/data/table.tsx";
import { formatCount } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { type FlashApp, useFlashApps } from "./use-flash-apps.ts";

export function FlashApps() {
  return (
    <Page title="Flash apps" lead="Python functions that the Flash client deploys as endpoints.">
      <SearchableTable
        query={useFlashApps()}
        singular="Flash app"
        columns={columns}
        idOf={({ id }) => id}
        textsOf={({ id, name }) => [id, name]}
        empty={<NoApps />}
      />
    </Page>
  );
}

const endpointsOf = ({ flashEnvironments }: FlashApp) =>
  flashEnvironments.flatMap(({ endpoints }) => endpoints);

const columns: Column<FlashApp>[] = [
  {
    title: "App",
    sortBy: ({ name }) => name,
    width: "minmax(9rem, 2fr)",
    cell: ({ id, name }) => (
      <NameCell
        id={id}
        name={
          <Link
            to="/flash/apps/$flashAppId"
            params={{ flashAppId: id }}
            className="hover:underline"
          >
            {name}
          </Link>
        }
      />
    ),
  },
  {
    title: "Environments",
    sortBy: ({ flashEnvironments }) => flashEnvironments.length,
    width: "minmax(8rem, 2fr)",
    cell: ({ flashEnvironments }) => flashEnvironments.map(({ name }) => name).join(", "),
  },
  {
    title: "Endpoints",
    sortBy: (app) => endpointsOf(app).length,
    width: "6rem",
    alignRight: true,
    minWidth: "sm",
    cell: (app) => formatCount(endpointsOf(app).length),
  },
  {
    title: "Builds",
    sortBy: ({ flashBuilds }) => flashBuilds.length,
    width: "5rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ flashBuilds }) => formatCount(flashBuilds.length),
  },
  {
    title: "Newest build",
    sortBy: ({ flashBuilds: [newest] }) => newest?.createdAt,
    width: "8rem",
    alignRight: true,
    minWidth: "md",
    cell: ({ flashBuilds: [newest] }) => <RelativeTime at={newest?.createdAt} />,
  },
];

function NoApps() {
  return (
    <>
      <Empty title="No Flash apps yet">
        Install the client, then log in and deploy from the folder of your app.
      </Empty>
      <Code
        className="mx-auto mt-4 max-w-2xl"
        text={'pip install runpod-flash\neval "$(freehold env)"\nflash login\nflash deploy'}
      />
    </>
  );
}
