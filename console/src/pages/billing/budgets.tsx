// Budgets: what may be spent in each period, and what is spent of it.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Status } from "../../parts/status.tsx";
import { say } from "../../parts/toast.tsx";
import { dollars } from "../../parts/units.ts";
import { ChangeBudget, NewBudget } from "./budget-forms.tsx";

export type Budget = Schema["Budget"];

type Asked = { what: "change" | "delete"; budget: Budget } | { what: "new" } | null;

export function Budgets() {
  const query = api.useQuery("get", "/v1/budgets");
  const [asked, setAsked] = useState<Asked>(null);
  const mayWrite = useMayWrite();
  const close = () => setAsked(null);
  return (
    <Card
      title="Budgets"
      aside={
        mayWrite && (
          <Button small onClick={() => setAsked({ what: "new" })}>
            New budget
          </Button>
        )
      }
      flush
    >
      <Loaded query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(budgets) =>
          budgets.length === 0 ? (
            <p className="p-4 text-muted">
              There is none. A budget stops what it is for as soon as all of it is spent, until its
              next period begins.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {budgets.map((budget) => (
                <One key={budget.id} budget={budget} {...(mayWrite && { onAsk: setAsked })} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked?.what === "new" && <NewBudget onClose={close} />}
      {asked?.what === "change" && <ChangeBudget budget={asked.budget} onClose={close} />}
      {asked?.what === "delete" && <DeleteBudget budget={asked.budget} onClose={close} />}
    </Card>
  );
}

const states = {
  ok: ["good", "Within"],
  warning: ["warn", "Nearly spent"],
  spent: ["bad", "Spent"],
} as const;

function One({ budget, onAsk }: { budget: Budget; onAsk?: (asked: Asked) => void }) {
  const { name, period, limit, spent, state, periodEnd } = budget;
  const [tone, word] = states[state];
  const share = Math.min(1, spent / limit);
  const shown = name || scopeOf(budget);
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{shown}</span>
        <Status tone={tone}>{word}</Status>
        <span className="ml-auto">
          {dollars(spent)} of {dollars(limit)} this {period}
        </span>
        {onAsk && (
          <Menu
            label={`Actions for ${shown}`}
            items={[
              { label: "Change", onSelect: () => onAsk({ what: "change", budget }) },
              { label: "Delete", danger: true, onSelect: () => onAsk({ what: "delete", budget }) },
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
        {scopeOf(budget)}; a new {period} begins {new Date(periodEnd).toLocaleString()}
      </p>
    </li>
  );
}

function scopeOf({ scope, endpointId, keyId }: Budget): string {
  if (scope === "endpoint") return `Endpoint ${endpointId}`;
  return scope === "key" ? `What key ${keyId} made` : "The whole account";
}

function DeleteBudget({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const remove = async () => {
    const path = { budgetId: budget.id };
    const { error } = await service.DELETE("/v1/budgets/{budgetId}", { params: { path } });
    if (error) throw error;
    say("The budget is deleted");
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Delete this budget?"
      action="Delete budget"
      onConfirm={remove}
    >
      <p>What it held back may start again, and nothing stops it at {dollars(budget.limit)}.</p>
    </Confirm>
  );
}
