// The jobs of the last 24 hours by hour, of all endpoints together.

import { api, type Schema } from "../../api/client.ts";
import { formatTime } from "../../components/format/time.ts";
import { formatCount } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { serviceNow } from "../../service-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../time-units.ts";

const QUARTER_MS = 15 * MINUTE_MS;

interface Hour {
  /** Its start, in ms since the epoch. */
  at: number;
  completed: number;
  failed: number;
}

/** Hidden from an account in which no job ended. */
export function JobDay() {
  const params = { query: { hours: 24 } };
  const { data: activity } = api.useQuery("get", "/v1/endpoint-activity", { params });
  const hours = activity ? hoursOf(activity) : [];
  const completed = hours.reduce((sum, hour) => sum + hour.completed, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  if (completed + failed === 0) return null;
  return (
    <Card
      title="Jobs in the last 24 hours"
      aside={
        <>
          {formatCount(completed)} completed,{" "}
          <span className={failed > 0 ? "text-bad" : ""}>{formatCount(failed)} failed</span>
        </>
      }
    >
      <Bars hours={hours} />
    </Card>
  );
}

/** The counts are by quarter of an hour, the last one of the current quarter. */
function hoursOf(activity: Schema["EndpointActivity"][]): Hour[] {
  const last = Math.floor(serviceNow() / QUARTER_MS) * QUARTER_MS;
  const hours = new Map<number, Hour>();
  for (const { completed, failed } of activity) {
    for (const [n, count] of completed.entries()) {
      const quarter = last - (completed.length - 1 - n) * QUARTER_MS;
      const at = Math.floor(quarter / HOUR_MS) * HOUR_MS;
      const hour = hours.get(at) ?? { at, completed: 0, failed: 0 };
      hours.set(at, hour);
      hour.completed += count;
      hour.failed += failed[n] ?? 0;
    }
  }
  return [...hours.values()].sort((a, b) => a.at - b.at);
}

function Bars({ hours }: { hours: Hour[] }) {
  const maximum = Math.max(1, ...hours.map(({ completed, failed }) => completed + failed));
  return (
    <>
      <ol aria-label="Jobs by hour" className="flex h-28 items-end gap-0.5 border-b border-line">
        {hours.map((hour) => (
          <Bar key={hour.at} hour={hour} maximum={maximum} />
        ))}
      </ol>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-muted">
        <span>{formatTime(hours[0]!.at)}</span>
        <span>{formatTime(hours[Math.floor(hours.length / 2)]!.at)}</span>
        <span>now</span>
      </p>
    </>
  );
}

function Bar({ hour: { at, completed, failed }, maximum }: { hour: Hour; maximum: number }) {
  const text = `${formatTime(at)}: ${formatCount(completed)} completed, ${formatCount(failed)} failed`;
  return (
    <li title={text} className="flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-sunken">
      <span className="sr-only">{text}</span>
      <Part className="rounded-t-[2px] bg-bad" share={failed / maximum} />
      <Part className="rounded-t-[2px] bg-series-1" share={completed / maximum} />
    </li>
  );
}

/** One job is visible beside thousands. */
function Part({ share, className }: { share: number; className: string }) {
  if (share === 0) return null;
  return <span aria-hidden className={className} style={{ height: `max(2px, ${share * 100}%)` }} />;
}
