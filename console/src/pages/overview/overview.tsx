// The overview: what needs attention, what runs, what it costs, the last day of jobs, and the free capacity.

import { Link } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useCanView, useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { formatDollars, formatHourlyPrice, formatQuantity } from "../../components/format/units.ts";
import { Page } from "../../components/layout/page.tsx";
import { Tile, Tiles } from "../../components/layout/tile.tsx";
import { serviceNow } from "../../service-clock.ts";
import { DAY_MS } from "../../time-units.ts";
import { MachineBoard } from "../machines/machine-board.tsx";
import { Alerts } from "./alerts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { JobDay } from "./job-day.tsx";
import { Queues } from "./queues.tsx";
import { RecentFailures } from "./recent-failures.tsx";

export function Overview() {
  const resources = useCanView("resources");
  const money = useCanView("billing");
  const mayWrite = useCanWrite();
  return (
    <Page
      title="Overview"
      actions={
        resources &&
        mayWrite && (
          <Button variant="primary" asChild>
            <Link to="/pods/deploy">Deploy Pod</Link>
          </Button>
        )
      }
    >
      <FirstSteps />
      <Alerts />
      <Tiles>
        {resources && <Running />}
        {money && <Money />}
      </Tiles>
      {resources && (
        <div className="mb-6 grid grid-cols-1 items-start gap-4 empty:hidden lg:grid-cols-2">
          <JobDay />
          <RecentFailures />
        </div>
      )}
      {resources && <Queues />}
      <MachineBoard />
    </Page>
  );
}

function Running() {
  const { data: pods } = api.useQuery("get", "/v1/pods");
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints", {
    params: { query: { includeWorkers: true } },
  });
  const running = pods?.filter(({ desiredStatus }) => desiredStatus === "RUNNING").length;
  const workers = endpoints?.flatMap((endpoint) => endpoint.workers ?? []);
  return (
    <>
      <Tile
        name="Pods running"
        value={running}
        note={pods && `of ${formatQuantity(pods.length, "Pod")}`}
      />
      <Tile
        name="Workers"
        value={workers?.length}
        note={endpoints && `for ${formatQuantity(endpoints.length, "endpoint")}`}
      />
    </>
  );
}

function Money() {
  const { data: balance } = api.useQuery("get", "/v1/balance");
  const today = useSpentToday();
  return (
    <>
      <Tile
        name="Spending"
        value={balance && formatHourlyPrice(balance.spendPerHr)}
        note={today !== undefined && `${formatDollars(today)} today`}
      />
      <Tile
        name="Balance"
        value={balance && (balance.limited ? formatDollars(balance.balance) : "No limit")}
        note={balance && !balance.limited && `${formatDollars(-balance.balance)} used to date`}
      />
    </>
  );
}

/** The total spending since midnight UTC. In dollars; undefined while it loads. */
function useSpentToday(): number | undefined {
  const startTime = new Date(Math.floor(serviceNow() / DAY_MS) * DAY_MS).toISOString();
  const params = { query: { bucketSize: "day" as const, startTime } };
  const pods = api.useQuery("get", "/v1/billing/pods", { params });
  const endpoints = api.useQuery("get", "/v1/billing/endpoints", { params });
  const volumes = api.useQuery("get", "/v1/billing/networkvolumes", { params });
  if (!pods.data || !endpoints.data || !volumes.data) return undefined;
  const all = [...pods.data, ...endpoints.data, ...volumes.data];
  return all.reduce((sum, { amount }) => sum + amount, 0);
}
