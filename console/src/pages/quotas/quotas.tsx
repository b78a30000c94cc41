// What the account and each of its projects and members hold, and how much they may hold.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanView, useCanWrite, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { Status } from "../../components/data/status.tsx";
import { actionsColumn, type Column, Table } from "../../components/data/table.tsx";
import { Card } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { amountColumns } from "./amounts.tsx";
import { Exemptions } from "./exemptions.tsx";
import { Guarantees } from "./guarantees.tsx";
import { IdleHours } from "./idle-hours.tsx";
import { QuotaForm } from "./quota-form.tsx";
import { Shares } from "./shares.tsx";

type Quota = Schema["Quota"];
type Limits = Schema["QuotaLimits"];

/** A row of the table; one without limits cannot have any. */
interface Row {
  id: string;
  name: string;
  subject: "account" | "project" | "members" | "member" | "unowned";
  used?: Schema["QuotaUsed"];
  limits: Limits;
  ownLimits: string[];
  over: string[];
}

export function Quotas() {
  const query = api.useQuery("get", "/v1/quota");
  const [edited, setEdited] = useState<Row | null>(null);
  const mayWrite = useCanWrite();
  const isAdmin = useCanView("account");
  const { operator } = useSession();
  const mayEdit = ({ subject }: Row) =>
    mayWrite && isAdmin && subject !== "unowned" && (subject !== "account" || operator);
  const actions = actionsColumn<Row>(
    (row) =>
      mayEdit(row) && (
        <Button small aria-label={`Set limits: ${row.name}`} onClick={() => setEdited(row)}>
          Limits
        </Button>
      ),
    "5rem",
  );
  return (
    <Page
      title="Quotas"
      lead="What the account, its projects and its members hold now, and the limits. What is requested counts, whether or not it runs yet."
    >
      <QueryResult query={query} skeleton={<SkeletonRows rows={4} />}>
        {(quota) => (
          <>
            <Table
              label="Quotas"
              columns={mayWrite && isAdmin ? [...columns, actions] : columns}
              rows={rowsOf(quota)}
              idOf={({ id }) => id}
            />
            <OverQuota rows={rowsOf(quota)} />
            <Guarantees projects={quota.projects} />
            <Shares quota={quota} />
          </>
        )}
      </QueryResult>
      <Exemptions />
      {isAdmin && <IdleHours />}
      {edited && <EditQuota row={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function rowsOf({ account, projects, memberDefault, members, unowned }: Quota): Row[] {
  const none = { ownLimits: [], over: [] };
  return [
    { ...none, ...account, id: "account", name: "Whole account", subject: "account" },
    ...projects.map((project) => ({ ...project, ownLimits: [], subject: "project" as const })),
    {
      ...none,
      id: "members",
      name: "Default of a member",
      subject: "members",
      limits: memberDefault,
    },
    ...members.map((member) => ({ ...member, subject: "member" as const })),
    { ...none, id: "unowned", name: "No member", subject: "unowned", used: unowned, limits: {} },
  ];
}

/** What is held beyond the limits. */
function OverQuota({ rows }: { rows: Row[] }) {
  const over = rows.filter((row) => row.over.length > 0);
  if (over.length === 0) return null;
  return (
    <Card title="Over the limit" flush className="mt-6">
      <ul className="divide-y divide-line">
        {over.map((row) => (
          <li key={row.id} className="p-4">
            {row.name}: {row.over.join(", ")}. Nothing is stopped, and nothing can be added.
          </li>
        ))}
      </ul>
    </Card>
  );
}

function EditQuota({ row, onClose }: { row: Row; onClose: () => void }) {
  const options = { success: `Limits of ${row.name} changed` };
  const { account } = useSession();
  const ofAccount = useWrite("patch", "/v1/accounts/{accountId}/quota", options);
  const byDefault = useWrite("patch", "/v1/quota/member-default", options);
  const ofMember = useWrite("patch", "/v1/quota/members/{memberId}", options);
  const ofProject = useWrite("patch", "/v1/projects/{projectId}", options);
  const { id, name, subject, limits, ownLimits } = row;
  const save = {
    project: (body: Schema["QuotaUpdate"]) =>
      ofProject.run({ params: { path: { projectId: id } }, body: { limits: body } }),
    account: (body: Schema["QuotaUpdate"]) =>
      ofAccount.run({ params: { path: { accountId: account.id } }, body }),
    members: (body: Schema["QuotaUpdate"]) => byDefault.run({ body }),
  };
  const title = `Limits: ${name}`;
  if (subject === "member") {
    return (
      <QuotaForm
        title={title}
        schema="MemberQuotaUpdate"
        limits={limits}
        ownLimits={ownLimits}
        onClose={onClose}
        onSave={(body) => ofMember.run({ params: { path: { memberId: id } }, body })}
      />
    );
  }
  const ofOthers = subject === "project" ? save.project : save.members;
  return (
    <QuotaForm
      title={title}
      schema="QuotaUpdate"
      limits={limits}
      ownLimits={null}
      onClose={onClose}
      onSave={subject === "account" ? save.account : ofOthers}
    />
  );
}

const columns: Column<Row>[] = [
  {
    title: "Holder",
    width: "minmax(9rem, 2fr)",
    cell: ({ id, name, subject, over }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        {subject === "member" || subject === "project" ? (
          <div className="min-w-0">
            <NameCell name={name} id={id} />
          </div>
        ) : (
          name
        )}
        {subject === "project" && <span className="text-muted">project</span>}
        {over.length > 0 && <Status tone="warn">Over</Status>}
      </span>
    ),
  },
  ...amountColumns,
];
