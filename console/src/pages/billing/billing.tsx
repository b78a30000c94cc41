// Spending and limits: the balance, the spending history, budgets and savings plans.

import { api } from "../../api/client.ts";
import { formatDate, formatDateTime, formatTime } from "../../components/format/time.ts";
import { formatDollars, formatHourlyPrice } from "../../components/format/units.ts";
import { Page } from "../../components/layout/page.tsx";
import { Tile, Tiles } from "../../components/layout/tile.tsx";
import { serviceNow } from "../../service-clock.ts";
import { HOUR_MS } from "../../time-units.ts";
import { Budgets } from "./budgets.tsx";
import { SavingsPlans } from "./savings-plans.tsx";
import { SpendingHistory } from "./spending-history.tsx";
import { StatementCard } from "./statement.tsx";

export function Billing() {
  return (
    <Page
      title="Billing"
      lead="Usage is billed by the millisecond. All amounts are in US dollars. Hours, days and months of bills and budgets are those of UTC."
    >
      <BalanceTiles />
      <div className="space-y-4">
        <SpendingHistory />
        <StatementCard />
        <Budgets />
        <SavingsPlans />
      </div>
    </Page>
  );
}

function BalanceTiles() {
  const { data } = api.useQuery("get", "/v1/balance");
  return (
    <Tiles>
      <Tile
        name="Balance"
        value={data && (data.limited ? formatDollars(data.balance) : "No limit")}
        note={data && !data.limited && `${formatDollars(-data.balance)} used to date`}
      />
      <Tile
        name="Spending"
        value={data && formatHourlyPrice(data.spendPerHr)}
        note="current rate"
      />
      <Forecast perHour={data?.spendPerHr} />
      <Tile
        name="Balance runs out"
        value={data && (data.emptyAt ? formatDate(data.emptyAt) : "–")}
        note={data && describeRunway(data)}
      />
    </Tiles>
  );
}

/** What the account has spent this month, and what it will have spent at its current rate. */
function Forecast({ perHour }: { perHour: number | undefined }) {
  const query = { bucketSize: "month" as const, lastN: 1 };
  const { data } = api.useQuery("get", "/v2/billing", { params: { query } });
  const spent = data?.metadata.totals.totalAmount;
  const end = data && Date.parse(data.metadata.query.endTime);
  const forecast =
    spent !== undefined && end !== undefined && perHour !== undefined
      ? spent + (perHour * Math.max(0, end - serviceNow())) / HOUR_MS
      : undefined;
  return (
    <Tile
      name="Forecast for this month"
      value={forecast === undefined ? undefined : formatDollars(forecast)}
      note={spent !== undefined && `${formatDollars(spent)} so far, at the current rate`}
    />
  );
}

function describeRunway({
  emptyAt,
  terminateAt,
}: {
  emptyAt?: string;
  terminateAt?: string;
}): string {
  if (terminateAt) return `Stopped Pods are terminated ${formatDateTime(terminateAt)}`;
  if (emptyAt) return `${formatTime(emptyAt)} at the current rate`;
  return "Not at the current rate";
}
