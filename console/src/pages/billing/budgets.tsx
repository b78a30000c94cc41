// The budgets and what is spent of them.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { EndpointName, KeyName } from "../../components/control/resource-name.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { Status } from "../../components/data/status.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { formatDateTime } from "../../components/format/time.ts";
import { formatDollars } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { EditBudget, NewBudget } from "./budget-forms.tsx";

export type Budget = Schema["Budget"];

type OpenDialog = { kind: "edit" | "delete"; budget: Budget } | { kind: "new" } | null;

export function Budgets() {
  const query = api.useQuery("get", "/v1/budgets");
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  return (
    <Card
      title="Budgets"
      aside={
        mayWrite && (
          <Button small onClick={() => setOpenDialog({ kind: "new" })}>
            New budget
          </Button>
        )
      }
      flush
    >
      <QueryResult query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(budgets) =>
          budgets.length === 0 ? (
            <p className="p-4 text-muted">
              No budgets yet. A budget stops everything in its scope once its limit is reached,
              until the next period begins.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {budgets.map((budget) => (
                <BudgetRow
                  key={budget.id}
                  budget={budget}
                  {...(mayWrite && { onAction: setOpenDialog })}
                />
              ))}
            </ul>
          )
        }
      </QueryResult>
      {openDialog?.kind === "new" && <NewBudget onClose={close} />}
      {openDialog?.kind === "edit" && <EditBudget budget={openDialog.budget} onClose={close} />}
      {openDialog?.kind === "delete" && <DeleteBudget budget={openDialog.budget} onClose={close} />}
    </Card>
  );
}

const states = {
  ok: ["good", "Within budget"],
  warning: ["warn", "Almost spent"],
  spent: ["bad", "Spent"],
} as const;

function BudgetRow({
  budget,
  onAction,
}: {
  budget: Budget;
  onAction?: (openDialog: OpenDialog) => void;
}) {
  const { name, period, limit, spent, state, periodEnd } = budget;
  const [tone, word] = states[state];
  const share = Math.min(1, spent / limit);
  return (
    <li className="p-4">
      <div className="flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 break-words font-medium">
            {name || <Scope budget={budget} />}
          </span>
          <Status tone={tone}>{word}</Status>
          <span className="sm:ml-auto">
            {formatDollars(spent)} of {formatDollars(limit)} this {period}
          </span>
        </div>
        {onAction && (
          <Menu
            label={`Actions for ${name || "this budget"}`}
            items={[
              { label: "Edit", onSelect: () => onAction({ kind: "edit", budget }) },
              {
                label: "Delete",
                danger: true,
                onSelect: () => onAction({ kind: "delete", budget }),
              },
            ]}
          />
        )}
      </div>
      <div aria-hidden className="mt-2 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full ${{ ok: "bg-accent", warning: "bg-warn", spent: "bg-bad" }[state]}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className="mt-1.5 text-sm text-muted">
        <Scope budget={budget} /> · resets {formatDateTime(periodEnd)}
        {labelTexts(budget).map((text) => (
          <code key={text} className="ml-3">
            {text}
          </code>
        ))}
      </p>
    </li>
  );
}

function Scope({ budget: { scope, endpointId = "", keyId = "", label } }: { budget: Budget }) {
  if (scope === "account") return <>Entire account</>;
  if (scope === "label") return <>Label {label}</>;
  return scope === "endpoint" ? (
    <>
      Endpoint <EndpointName id={endpointId} />
    </>
  ) : (
    <>
      Created with key <KeyName id={keyId} />
    </>
  );
}

function DeleteBudget({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const write = useWrite("delete", "/v1/budgets/{budgetId}", {
    success: "Budget deleted",
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title="Delete this budget?"
      action="Delete budget"
      onConfirm={() => write.run({ params: { path: { budgetId: budget.id } } })}
    >
      <p>
        Anything this budget stopped can start again, and spending is no longer limited to{" "}
        {formatDollars(budget.limit)}.
      </p>
    </ConfirmDialog>
  );
}
