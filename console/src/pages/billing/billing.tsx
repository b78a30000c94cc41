// What the account has, what it spent on what, and how much it may spend.

import { api } from "../../api/client.ts";
import { Page } from "../../parts/page.tsx";
import { Tile, Tiles } from "../../parts/tile.tsx";
import { dollars, perHour } from "../../parts/units.ts";
import { Budgets } from "./budgets.tsx";
import { History } from "./history.tsx";
import { SavingsPlans } from "./savings-plans.tsx";

export function Billing() {
  return (
    <Page title="Billing" lead="All is metered by the second, in dollars.">
      <Standing />
      <div className="space-y-4">
        <History />
        <Budgets />
        <SavingsPlans />
      </div>
    </Page>
  );
}

function Standing() {
  const { data } = api.useQuery("get", "/v1/balance");
  const { data: budgets } = api.useQuery("get", "/v1/budgets");
  const held = budgets?.filter(({ state }) => state === "spent").length;
  return (
    <Tiles>
      <Tile
        name="Balance"
        value={data && (data.limited ? dollars(data.balance) : "No limit")}
        note={data && !data.limited && `${dollars(-data.balance)} used so far`}
      />
      <Tile name="Spending" value={data && perHour(data.spendPerHr)} note="right now" />
      <Tile
        name="Lasts until"
        value={data && (data.emptyAt ? dayOf(data.emptyAt) : "–")}
        note={data && lasts(data)}
      />
      <Tile
        name="Budgets"
        value={budgets?.length}
        note={held !== undefined && (held > 0 ? `${held} spent` : "none spent")}
      />
    </Tiles>
  );
}

const dayOf = (instant: string) =>
  new Date(instant).toLocaleDateString("en", { month: "short", day: "numeric" });

function lasts({ emptyAt, terminateAt }: { emptyAt?: string; terminateAt?: string }): string {
  if (terminateAt) return `What is stopped is removed ${new Date(terminateAt).toLocaleString()}`;
  if (emptyAt) return `${new Date(emptyAt).toLocaleTimeString()}, as it is spent now`;
  return "Nothing runs out";
}
