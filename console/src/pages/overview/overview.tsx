// The house at a glance: what runs, what it costs, and what is free.

import { Link } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useMayLook } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { Tile, Tiles } from "../../parts/tile.tsx";
import { counted, dollars, perHour } from "../../parts/units.ts";
import { MachineBoard } from "../machines/board.tsx";
import { Attention } from "./attention.tsx";
import { Queues } from "./queues.tsx";
import { useSpentToday } from "./use-spent-today.ts";

export function Overview() {
  const resources = useMayLook("resources");
  const money = useMayLook("billing");
  return (
    <Page
      title="Overview"
      actions={
        resources && (
          <Button look="primary" asChild>
            <Link to="/pods/deploy">Deploy a Pod</Link>
          </Button>
        )
      }
    >
      <Attention />
      <Tiles>
        {resources && <Running />}
        {money && <Money />}
      </Tiles>
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
        note={pods && `of ${counted(pods.length, "Pod")}`}
      />
      <Tile
        name="Workers"
        value={workers?.length}
        note={endpoints && `for ${counted(endpoints.length, "endpoint")}`}
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
        value={balance && perHour(balance.spendPerHr)}
        note={today !== undefined && `${dollars(today)} today`}
      />
      <Tile
        name="Balance"
        value={balance && (balance.limited ? dollars(balance.balance) : "No limit")}
        note={balance && !balance.limited && `${dollars(-balance.balance)} used so far`}
      />
    </>
  );
}
