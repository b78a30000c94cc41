// The queue depth of each endpoint.

import { Link } from "@tanstack/react-router";
import { formatCount, formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { useEndpointLoads } from "./use-endpoint-loads.ts";

const MAX_ROWS = 6;

export function Queues() {
  const { loads, more } = useEndpointLoads();
  if (loads.length === 0) return null;
  const visible = loads.slice(0, MAX_ROWS);
  const rest = loads.length - visible.length + more;
  const maximum = Math.max(1, ...visible.map(({ queued, running }) => queued + running));
  return (
    <Card
      title="Queues"
      aside={rest > 0 && `busiest of ${formatQuantity(rest + visible.length, "endpoint")}`}
      className="mb-6"
      flush
    >
      <ul className="divide-y divide-line">
        {visible.map(({ id, name, queued, running, ready }) => (
          <li
            key={id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1.5 px-4 py-2.5 sm:grid-cols-[minmax(0,12rem)_1fr_16rem]"
          >
            <Link
              to="/serverless/$endpointId"
              params={{ endpointId: id }}
              className="truncate font-medium hover:underline"
            >
              {name}
            </Link>
            <span
              aria-hidden
              className="order-last col-span-2 flex h-1.5 overflow-hidden rounded-full bg-sunken sm:order-none sm:col-span-1"
            >
              <span className="bg-accent" style={{ width: `${(100 * running) / maximum}%` }} />
              <span className="bg-info" style={{ width: `${(100 * queued) / maximum}%` }} />
            </span>
            <span className="text-right text-sm text-muted">
              {formatCount(queued)} queued, {formatCount(running)} running,{" "}
              {formatQuantity(ready, "worker")}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
