// What a Pod cost until now, with a link to its days and hours.

import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../../api/client.ts";
import { formatDollars } from "../../../components/format/units.ts";
import { serviceNow } from "../../../service-clock.ts";

/** "$4.20 this month, $12.00 to date" */
export function PodCost({ pod: { id, createdAt } }: { pod: Schema["Pod"] }) {
  const query = {
    ...{ podId: id, grouping: "podId" as const },
    ...{ bucketSize: "month" as const, startTime: createdAt },
  };
  const { data: months } = api.useQuery("get", "/v1/billing/pods", { params: { query } });
  if (!months) return <>…</>;
  const total = months.reduce((sum, { amount }) => sum + amount, 0);
  const thisMonth = new Date(serviceNow()).toISOString().slice(0, "2026-11".length);
  const current = months.find(({ time }) => time.startsWith(thisMonth))?.amount ?? 0;
  return (
    <Link
      to="/billing/$kind/$resourceId"
      params={{ kind: "pods", resourceId: id }}
      className="underline"
    >
      {current !== total && `${formatDollars(current)} this month, `}
      {formatDollars(total)} to date
    </Link>
  );
}
