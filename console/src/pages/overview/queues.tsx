// How deep the queues are, endpoint by endpoint.

import { Link } from "@tanstack/react-router";
import { Card } from "../../parts/card.tsx";
import { count, counted } from "../../parts/units.ts";
import { useLoads } from "./loads.ts";

const MOST_SHOWN = 6;

export function Queues() {
  const { loads, more } = useLoads();
  if (loads.length === 0) return null;
  const shown = loads.slice(0, MOST_SHOWN);
  const rest = loads.length - shown.length + more;
  const most = Math.max(1, ...shown.map(({ queued, running }) => queued + running));
  return (
    <Card
      title="Queues"
      aside={rest > 0 && `the busiest of ${counted(rest + shown.length, "endpoint")}`}
      className="mb-6"
      flush
    >
      <ul className="divide-y divide-line">
        {shown.map(({ id, name, queued, running, ready }) => (
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
              <span className="bg-accent" style={{ width: `${(100 * running) / most}%` }} />
              <span className="bg-info" style={{ width: `${(100 * queued) / most}%` }} />
            </span>
            <span className="text-right text-sm text-muted">
              {count(queued)} queued, {count(running)} running, {counted(ready, "worker")}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
