// An endpoint over time: what waited, what came of it, how long it took.

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useNow } from "../../parts/ago.tsx";
import { Card } from "../../parts/card.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Plot, type Series } from "../../parts/plot.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { count, counted, duration } from "../../parts/units.ts";

type Point = Schema["EndpointHistoryPoint"];

const MINUTE_MS = 60_000;
/** Looked at anew so often: the present is at the right edge. */
const STEP_MS = 15_000;

const spans = {
  hour: { name: "1 hour", minutes: 60, bucketMinutes: 1 },
  sixHours: { name: "6 hours", minutes: 6 * 60, bucketMinutes: 5 },
  day: { name: "24 hours", minutes: 24 * 60, bucketMinutes: 15 },
} as const;
type Span = keyof typeof spans;

const names = Object.fromEntries(
  Object.entries(spans).map(([span, { name }]) => [span, name]),
) as Record<Span, string>;

export function EndpointHistory({ endpointId }: { endpointId: string }) {
  const [span, setSpan] = useState<Span>("hour");
  const { bucketMinutes } = spans[span];
  const query = useHistory(endpointId, span);
  return (
    <section aria-label="Over time" className="mb-5">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 className="font-medium">Over time</h2>
        <Choice label="For how long" value={span} onChange={setSpan} options={names} />
      </div>
      <Loaded query={query} skeleton={<Skeleton className="h-[29rem]" />}>
        {(points) => <Plots points={points} bucketMinutes={bucketMinutes} />}
      </Loaded>
    </section>
  );
}

function useHistory(endpointId: string, span: Span) {
  const now = Math.floor(useNow() / STEP_MS) * STEP_MS;
  const { minutes, bucketMinutes } = spans[span];
  const startTime = new Date(now - minutes * MINUTE_MS).toISOString();
  return api.useQuery(
    "get",
    "/v1/endpoints/{endpointId}/history",
    { params: { path: { endpointId }, query: { startTime, bucketMinutes } } },
    { placeholderData: keepPreviousData, gcTime: STEP_MS },
  );
}

interface Drawn {
  title: string;
  aside: string;
  series: Series[];
  format: (value: number) => string;
  least: number;
  wide?: true;
}

function Plots({ points, bucketMinutes }: { points: Point[]; bucketMinutes: number }) {
  const times = points.map(({ time }) => Date.parse(time) / 1_000);
  const plots = [...flow(points, bucketMinutes), ...lengths(points), starts(points)];
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      {plots.map(({ title, aside, wide, ...plot }) => (
        <Card key={title} title={title} aside={aside} className={wide && "lg:col-span-2"} flush>
          <Plot label={title} times={times} height={160} {...plot} />
        </Card>
      ))}
    </div>
  );
}

function flow(points: Point[], bucketMinutes: number): Drawn[] {
  const { queued = 0, running = 0 } = points.at(-1) ?? {};
  return [
    {
      title: "Queue",
      aside: `${count(queued)} wait, ${count(running)} run`,
      series: [
        { name: "queued", values: points.map((point) => point.queued) },
        { name: "running", values: points.map((point) => point.running) },
      ],
      format: count,
      least: 4,
    },
    {
      title: "Throughput",
      aside: `${count(total(points, "completed"))} completed, ${count(total(points, "failed"))} failed`,
      series: [
        { name: "completed", values: points.map(({ completed }) => completed / bucketMinutes) },
        { name: "failed", values: points.map(({ failed }) => failed / bucketMinutes) },
      ],
      format: (n) => `${count(Math.round(n * 10) / 10)}/min`,
      least: 4,
    },
  ];
}

function lengths(points: Point[]): Drawn[] {
  const drawn = (title: string, what: "delay" | "execution"): Drawn => ({
    title,
    aside: "so many jobs took no longer",
    series: [
      { name: "half", values: points.map((point) => point[what]?.p50 ?? null) },
      { name: "95 %", values: points.map((point) => point[what]?.p95 ?? null) },
      { name: "99 %", values: points.map((point) => point[what]?.p99 ?? null) },
    ],
    format: duration,
    least: 1_000,
  });
  return [drawn("Waited", "delay"), drawn("Ran", "execution")];
}

function starts(points: Point[]): Drawn {
  const n = total(points, "coldStarts");
  const ms = points.reduce((sum, each) => sum + each.coldStarts * (each.coldStartMs ?? 0), 0);
  return {
    title: "Cold starts",
    aside: n === 0 ? "none" : `${counted(n, "worker")}, ${duration(ms / n)} on average`,
    series: [{ name: "workers", values: points.map(({ coldStarts }) => coldStarts) }],
    format: count,
    least: 4,
    wide: true,
  };
}

function total(points: Point[], name: "completed" | "failed" | "coldStarts"): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}
