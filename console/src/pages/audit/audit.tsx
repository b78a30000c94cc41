// Who did what in the account, the newest first.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { Status } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";

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
      lead="What was done in the account: by people, by programs, and by the service itself."
      actions={<Button onClick={() => void query.refetch()}>Look again</Button>}
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
      <Loaded query={query} skeleton={<SkeletonRows rows={8} />}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="Nothing yet">Each change and each refusal is written down here.</Empty>
          ) : (
            <>
              <Table label="Entries" columns={columns} rows={entries} idOf={({ id }) => id} />
              {entries.length === limit && limit < 1_000 && (
                <Button
                  className="mt-3"
                  onClick={() => setLimit((now) => Math.min(1_000, now * 2))}
                >
                  Show earlier ones
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const columns: Column<Entry>[] = [
  {
    title: "When",
    width: "9.5rem",
    from: "sm",
    cell: ({ at }) => <time dateTime={at}>{new Date(at).toLocaleString("en-GB")}</time>,
  },
  {
    title: "What",
    width: "minmax(9rem, 2fr)",
    cell: ({ operation, resourceType, resourceId }) => (
      <>
        <div className="truncate font-medium">{operation}</div>
        <div className="truncate text-xs text-muted">
          {resourceType} {resourceId && <code>{resourceId}</code>}
        </div>
      </>
    ),
  },
  {
    title: "Who",
    width: "minmax(7rem, 1fr)",
    cell: ({ actor, memberEmail, keyName, podId }) =>
      actor === "system" ? "the service" : (memberEmail ?? keyName ?? podId ?? actor),
  },
  {
    title: "Outcome",
    width: "6.5rem",
    from: "sm",
    cell: ({ outcome }) =>
      outcome === "done" ? <Status tone="good">Done</Status> : <Status tone="bad">Refused</Status>,
  },
  {
    title: "Detail",
    width: "minmax(6rem, 1fr)",
    from: "lg",
    cell: ({ detail }) => <span className="text-muted">{detail}</span>,
  },
  {
    title: "From",
    width: "8rem",
    from: "lg",
    cell: ({ address, via }) => <code>{address ?? via}</code>,
  },
];
