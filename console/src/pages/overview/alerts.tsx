// The alerts: offline machines, failing or unplaceable Pods and endpoints, and budgets and balances that
// run out.

import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useCanView } from "../../api/session.ts";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import { formatDollars, formatQuantity } from "../../components/format/units.ts";
import { paths } from "../../paths.ts";
import { useResourceAlerts } from "./resource-alerts.tsx";

export interface Alert {
  id: string;
  message: ReactNode;
}

export function Alerts() {
  const all = [
    ...useMachineAlerts(),
    ...useUnpricedAlerts(),
    ...useResourceAlerts(),
    ...useSpendingAlerts(),
  ];
  if (all.length === 0) return null;
  return (
    <section aria-label="Needs attention" className="mb-6 rounded-card bg-warn-soft p-4 text-sm">
      <h2 className="flex items-center gap-2 font-medium text-warn">
        <TriangleAlert aria-hidden className="size-4" /> Needs attention
      </h2>
      <ul className="mt-1.5 space-y-1">
        {all.map(({ id, message }) => (
          <li key={id}>{message}</li>
        ))}
      </ul>
    </section>
  );
}

function useMachineAlerts(): Alert[] {
  const { data: machines = [] } = api.useQuery("get", "/v1/machines");
  return machines
    .filter(({ online }) => !online)
    .map(({ id, name, seenAt }) => ({
      id,
      message: (
        <>
          Machine <span className="font-medium">{name ?? id}</span>{" "}
          {seenAt ? (
            <>
              is offline, last seen <RelativeTime at={seenAt} />
            </>
          ) : (
            "was never reached"
          )}
          . Nothing new is placed on it.
        </>
      ),
    }));
}

/** The operator alone sees GPUs without a price. */
function useUnpricedAlerts(): Alert[] {
  const { data: book } = api.useQuery("get", "/v1/price-book");
  const types = book?.unpricedGpus ?? [];
  if (types.length === 0) return [];
  const count = types.reduce((sum, { gpuCount }) => sum + gpuCount, 0);
  const message = (
    <>
      {`${formatQuantity(count, "GPU")} cannot be rented for want of a `}
      <Link to={paths.prices} className="font-medium underline">
        price
      </Link>
      : {types.map(({ id }) => id).join(", ")}.
    </>
  );
  return [{ id: "unpriced", message }];
}

function useSpendingAlerts(): Alert[] {
  const enabled = useCanView("billing");
  const { data: balance } = api.useQuery("get", "/v1/balance", undefined, { enabled });
  const { data: budgets = [] } = api.useQuery("get", "/v1/budgets", undefined, { enabled });
  const spent = budgets
    .filter(({ state }) => state !== "ok")
    .map(({ id, name, scope, spent, limit, period, state }) => ({
      id,
      message: `Budget ${name || `for this ${scope}`}: ${formatDollars(spent)} of ${formatDollars(limit)} spent this ${period}${state === "spent" ? "; everything in its scope is stopped" : ""}.`,
    }));
  // A balance that lasts longer needs no alert.
  if (!balance?.emptyAt || !(balance.lowSince || balance.terminateAt)) return spent;
  const empty = `The balance of ${formatDollars(balance.balance)} runs out at ${formatDateTime(balance.emptyAt)}; then everything is stopped.`;
  return [...spent, { id: "balance", message: empty }];
}
