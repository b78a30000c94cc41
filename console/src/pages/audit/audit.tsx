// The audit log, newest first.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { IdLine } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { AbsoluteTime } from "../../components/data/relative-time.tsx";
import { Status } from "../../components/data/status.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { Field, Select } from "../../components/form/field.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";

type Entry = Schema["AuditEntry"];
type Outcome = Entry["outcome"];

const PAGE = 200;

export function Audit() {
  const [outcome, setOutcome] = useState<Outcome | "">("");
  const [limit, setLimit] = useState(PAGE);
  const query = api.useQuery(
    "get",
    "/v1/audit",
    { params: { query: { limit, ...(outcome && { outcome }) } } },
    { placeholderData: (shown) => shown },
  );
  return (
    <Page
      title="Audit log"
      lead="Every change in this account and every refused attempt, by people, by API keys and by Freehold."
      actions={<Button onClick={() => void query.refetch()}>Refresh</Button>}
    >
      <Field label={<span className="sr-only">Outcome</span>} className="mb-3 w-44">
        {(tied) => (
          <Select
            {...tied}
            value={outcome}
            onChange={({ target }) => setOutcome(target.value as Outcome | "")}
          >
            <option value="">All outcomes</option>
            <option value="done">Done</option>
            <option value="refused">Refused</option>
          </Select>
        )}
      </Field>
      <QueryResult query={query} skeleton={<SkeletonRows rows={8} />}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No entries yet">Changes and refused attempts appear here.</Empty>
          ) : (
            <>
              <Table label="Entries" columns={columns} rows={entries} idOf={({ id }) => id} />
              {entries.length === limit && limit < 1_000 && (
                <Button
                  className="mt-3"
                  onClick={() => setLimit((now) => Math.min(1_000, now * 2))}
                >
                  Load older entries
                </Button>
              )}
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

const columns: Column<Entry>[] = [
  {
    title: "Time",
    width: "11rem",
    minWidth: "sm",
    cell: ({ at }) => <AbsoluteTime at={at} />,
  },
  {
    title: "Operation",
    width: "minmax(9rem, 2fr)",
    cell: ({ operation, resourceType, resourceId }) => (
      <>
        <div className="truncate font-medium">{operation}</div>
        <div className="flex h-4.5 items-center gap-1 text-xs text-muted">
          {resourceType} {resourceId && <IdLine id={resourceId} />}
        </div>
      </>
    ),
  },
  {
    title: "Actor",
    width: "minmax(7rem, 1fr)",
    cell: ({ actor, memberEmail, keyName, podId }) =>
      actor === "system" ? "Freehold" : (memberEmail ?? keyName ?? podId ?? actor),
  },
  {
    title: "Outcome",
    width: "6.5rem",
    minWidth: "sm",
    cell: ({ outcome }) =>
      outcome === "done" ? <Status tone="good">Done</Status> : <Status tone="bad">Refused</Status>,
  },
  {
    title: "Details",
    width: "minmax(6rem, 1fr)",
    minWidth: "lg",
    cell: ({ detail }) => <span className="text-muted">{detail}</span>,
  },
  {
    title: "Source",
    width: "8rem",
    minWidth: "lg",
    cell: ({ address, via }) => <code>{address ?? via}</code>,
  },
];
