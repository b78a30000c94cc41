// What an endpoint did in the last hours, as cells of the list of endpoints. All read one response.

import { api, type Schema } from "../../api/client.ts";
import { formatCount, formatDollars, formatDuration } from "../../components/format/units.ts";
import { Sparkline } from "../../components/plot/sparkline.tsx";

interface Props {
  endpointId: string;
}

/** Undefined while it loads; null for an endpoint without jobs and cost. */
function useActivity(endpointId: string): Activity {
  const { data } = api.useQuery("get", "/v1/endpoint-activity");
  return data && (data.find((each) => each.endpointId === endpointId) ?? null);
}

const sum = (counts: number[]) => counts.reduce((total, n) => total + n, 0);

type Activity = Schema["EndpointActivity"] | null | undefined;

export const countEnded = (activity: Activity) =>
  activity ? sum(activity.failed) + sum(activity.completed) : undefined;

/** Undefined without ended jobs. */
export function errorRate(activity: Activity): number | undefined {
  const all = countEnded(activity);
  return activity && all ? sum(activity.failed) / all : undefined;
}

const none = <span className="text-muted">–</span>;

export function EndedJobs({ endpointId }: Props) {
  const activity = useActivity(endpointId);
  if (!activity) return activity === null && none;
  const { completed, failed } = activity;
  const label = `${formatCount(sum(completed))} completed, ${formatCount(sum(failed))} failed`;
  return (
    <Sparkline
      label={`${label} in the last 6 hours`}
      bars={completed.map((ok, n) => ({ ok, failed: failed[n] ?? 0 }))}
    />
  );
}

export function ErrorRate({ endpointId }: Props) {
  const activity = useActivity(endpointId);
  if (!activity) return activity === null && none;
  const rate = errorRate(activity);
  if (rate === undefined) return none;
  return <span className={rate > 0 ? "text-bad" : ""}>{formatShare(rate)}</span>;
}

/** "0%", "0.04%", "12%" */
const formatShare = (share: number) => `${Number((100 * share).toPrecision(2))}%`;

export function ExecutionTime({ endpointId }: Props) {
  const activity = useActivity(endpointId);
  if (!activity) return activity === null && none;
  const { executionP95Ms } = activity;
  return executionP95Ms === null ? none : formatDuration(executionP95Ms);
}

export function CostToday({ endpointId }: Props) {
  const activity = useActivity(endpointId);
  if (!activity) return activity === null && none;
  return activity.spentToday > 0 ? formatDollars(activity.spentToday) : none;
}
