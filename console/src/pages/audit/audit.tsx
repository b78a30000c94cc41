// The audit log, newest first.

import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { api, type Schema } from "../../api/client.ts";
import { kindName, type Resource, useResources } from "../../api/resources.ts";
import { Button } from "../../components/control/button.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatDate, formatExactTime, formatTime } from "../../components/format/time.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { AuditFilters, useAuditSearch } from "./audit-filters.tsx";
import { auditQuery } from "./audit-search.ts";

type Entry = Schema["AuditEntry"];

const PAGE = 100;

export function Audit() {
  const { search } = useAuditSearch();
  const isFiltered = Object.keys(search).length > 0;
  const query = useEntries();
  const columns = useColumns();
  return (
    <Page
      title="Audit log"
      lead="Every change in this account and every refused attempt, by people, by API keys and by Freehold."
      actions={<Button onClick={() => void query.refetch()}>Refresh</Button>}
    >
      <AuditFilters />
      <QueryResult query={query} skeleton={<SkeletonRows rows={8} />}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <NoEntries isFiltered={isFiltered} />
          ) : (
            <Table
              label="Entries"
              columns={columns}
              rows={pages.flat()}
              idOf={({ id }) => id}
              onEndReached={() => query.hasNextPage && void query.fetchNextPage()}
            />
          )
        }
      </QueryResult>
    </Page>
  );
}

function useEntries() {
  const { search } = useAuditSearch();
  return api.useInfiniteQuery(
    "get",
    "/v1/audit",
    { params: { query: { ...auditQuery(search), limit: PAGE } } },
    {
      pageParamName: "before",
      initialPageParam: null as string | null,
      getNextPageParam: (page: Entry[]) => (page.length < PAGE ? undefined : page.at(-1)?.id),
      placeholderData: (shown) => shown,
    },
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <p className="py-8 text-center text-muted">No entries match the filters</p>;
  return <Empty title="No entries yet">Changes and refused attempts appear here.</Empty>;
}

function useColumns(): Column<Entry>[] {
  const resources = useResources();
  return useMemo(() => {
    const byId = new Map(resources.map((resource) => [resource.id, resource]));
    const resource: Column<Entry> = {
      title: "Resource",
      width: "minmax(7rem, 1.5fr)",
      minWidth: "sm",
      cell: ({ resourceType, resourceId }) => (
        <ResourceCell kind={resourceType} id={resourceId} resource={byId.get(resourceId ?? "")} />
      ),
    };
    return [...firstColumns, resource, ...lastColumns];
  }, [resources]);
}

interface ResourceProps {
  kind: string;
  id: string | undefined;
  /** Undefined if it is deleted, or of a kind without names. */
  resource: Resource | undefined;
}

function ResourceCell({ kind, id, resource }: ResourceProps) {
  if (!id) return <span className="text-muted">{kindName(kind)}</span>;
  if (!resource) return <NameCell name={kindName(kind)} id={id} />;
  return (
    <NameCell
      name={
        <Link {...resource.link} className="hover:underline">
          {kindName(kind)} {resource.name}
        </Link>
      }
      id={id}
    />
  );
}

/** A line that shows its whole text when it is pointed at. */
function Cut({ children, className = "" }: { children: string; className?: string }) {
  return (
    <div className={`truncate ${className}`} title={children}>
      {children}
    </div>
  );
}

const firstColumns: Column<Entry>[] = [
  {
    title: "Time",
    width: "6rem",
    cell: ({ at }) => (
      <time dateTime={at} title={formatExactTime(at)}>
        {formatTime(at, true)}
        <span className="block text-xs text-muted">{formatDate(at)}</span>
      </time>
    ),
  },
  {
    title: "Action",
    width: "minmax(8rem, 1.5fr)",
    cell: ({ operation, outcome, detail }) => (
      <>
        <div className="truncate font-medium">{operation}</div>
        {outcome === "refused" ? (
          <div className="truncate text-xs text-bad">Refused: {detail}</div>
        ) : (
          <div className="truncate text-xs text-muted">{detail || "Done"}</div>
        )}
      </>
    ),
  },
];

const lastColumns: Column<Entry>[] = [
  {
    title: "Actor",
    width: "minmax(6rem, 1.5fr)",
    cell: ({ actor, memberEmail, keyName, podId }) =>
      actor === "system" ? (
        "Freehold"
      ) : (
        <>
          <Cut>{memberEmail ?? keyName ?? podId ?? actor}</Cut>
          {memberEmail && <Cut className="text-xs text-muted">{`Key ${keyName}`}</Cut>}
        </>
      ),
  },
  {
    title: "Source",
    width: "8rem",
    minWidth: "lg",
    cell: ({ address, via }) => (
      <>
        <code>{address ?? "–"}</code>
        <div className="text-xs text-muted">{via}</div>
      </>
    ),
  },
];
