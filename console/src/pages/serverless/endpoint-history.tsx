// The metrics of an endpoint over time.

import { keepPreviousData } from "@tanstack/react-query";
import { api, type Schema } from "../../api/client.ts";
import { Choice } from "../../components/control/segmented-control.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { useNow } from "../../components/data/relative-time.tsx";
import { formatCount, formatDuration, formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { Plot, type Series } from "../../components/plot/plot.tsx";
import { MINUTE_MS } from "../../time-units.ts";
import { useSearchOption } from "../../use-search-param.ts";

type Point = Schema["EndpointHistoryPoint"];

/** The refresh interval; the right edge is the present. */
const STEP_MS = 15_000;

const spans = {
  "1h": { name: "1 hour", minutes: 60, bucketMinutes: 1 },
  "6h": { name: "6 hours", minutes: 6 * 60, bucketMinutes: 5 },
  "24h": { name: "24 hours", minutes: 24 * 60, bucketMinutes: 15 },
} as const;
type Span = keyof typeof spans;

const spanNames = Object.fromEntries(
  Object.entries(spans).map(([span, { name }]) => [span, name]),
) as Record<Span, string>;

interface Props {
  endpointId: string;
  /** Whether it takes requests in place of jobs. */
  isBalanced: boolean;
}

export function EndpointHistory({ endpointId, isBalanced }: Props) {
  const [span, setSpan] = useSearchOption("range", spanNames, "1h");
  const { bucketMinutes } = spans[span];
  const query = useHistory(endpointId, span);
  return (
    <section aria-label="Metrics" className="mb-5">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 className="font-medium">Metrics</h2>
        <Choice label="Time range" value={span} onChange={setSpan} options={spanNames} />
      </div>
      <QueryResult query={query} skeleton={<Skeleton className="h-[29rem]" />}>
        {(points) => {
          const charts = isBalanced ? requestCharts : jobCharts;
          return <Plots points={points} charts={charts(points, bucketMinutes)} />;
        }}
      </QueryResult>
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

interface ChartProps {
  title: string;
  aside: string;
  series: Series[];
  format: (value: number) => string;
  minimum: number;
  wide?: true;
}

const jobCharts = (points: Point[], bucketMinutes: number): ChartProps[] => [
  ...flowCharts(points, bucketMinutes),
  durationChart(points, "Queue time", "delay"),
  durationChart(points, "Execution time", "execution"),
  coldStartChart(points),
];

const requestCharts = (points: Point[], bucketMinutes: number): ChartProps[] => [
  ...answerCharts(points, bucketMinutes * 60),
  durationChart(points, "Time to first byte", "delay"),
  durationChart(points, "Response time", "execution"),
  coldStartChart(points),
];

const statusClasses = ["2xx", "3xx", "4xx", "5xx", "aborted"];

function answerCharts(points: Point[], bucketSeconds: number): ChartProps[] {
  const countOf = ({ statuses = {} }: Point, status: string) => statuses[status] ?? 0;
  const allOf = (point: Point) => Object.values(point.statuses ?? {}).reduce((a, b) => a + b, 0);
  const sumOf = (status: string) => points.reduce((sum, point) => sum + countOf(point, status), 0);
  const used = statusClasses.filter((status) => status === "2xx" || sumOf(status) > 0);
  const count = points.reduce((sum, point) => sum + allOf(point), 0);
  return [
    {
      title: "Requests",
      aside: formatQuantity(count, "request"),
      series: [{ name: "requests", values: points.map((point) => allOf(point) / bucketSeconds) }],
      format: (n) => `${formatCount(Math.round(n * 100) / 100)}/s`,
      minimum: 1,
    },
    {
      title: "Status",
      aside: used.map((status) => `${formatCount(sumOf(status))} ${status}`).join(", "),
      series: used.map((name) => {
        return { name, values: points.map((point) => countOf(point, name)) };
      }),
      format: formatCount,
      minimum: 4,
    },
  ];
}

function Plots({ points, charts }: { points: Point[]; charts: ChartProps[] }) {
  const times = points.map(({ time }) => Date.parse(time) / 1_000);
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      {charts.map(({ title, aside, wide, ...plot }) => (
        <Card key={title} title={title} aside={aside} className={wide && "lg:col-span-2"} flush>
          <Plot label={title} times={times} height={160} {...plot} />
        </Card>
      ))}
    </div>
  );
}

function flowCharts(points: Point[], bucketMinutes: number): ChartProps[] {
  const { queued = 0, running = 0 } = points.at(-1) ?? {};
  return [
    {
      title: "Queue",
      aside: `${formatCount(queued)} queued, ${formatCount(running)} running`,
      series: [
        { name: "queued", values: points.map((point) => point.queued) },
        { name: "running", values: points.map((point) => point.running) },
      ],
      format: formatCount,
      minimum: 4,
    },
    {
      title: "Throughput",
      aside: `${formatCount(total(points, "completed"))} completed, ${formatCount(total(points, "failed"))} failed`,
      series: [
        { name: "completed", values: points.map(({ completed }) => completed / bucketMinutes) },
        { name: "failed", values: points.map(({ failed }) => failed / bucketMinutes) },
      ],
      format: (n) => `${formatCount(Math.round(n * 10) / 10)}/min`,
      minimum: 4,
    },
  ];
}

function durationChart(points: Point[], title: string, what: "delay" | "execution"): ChartProps {
  return {
    title,
    aside: "p50, p95, p99",
    series: [
      { name: "p50", values: points.map((point) => point[what]?.p50 ?? null) },
      { name: "p95", values: points.map((point) => point[what]?.p95 ?? null) },
      { name: "p99", values: points.map((point) => point[what]?.p99 ?? null) },
    ],
    format: formatDuration,
    minimum: 1_000,
  };
}

function coldStartChart(points: Point[]): ChartProps {
  const n = total(points, "coldStarts");
  const ms = points.reduce((sum, each) => sum + each.coldStarts * (each.coldStartMs ?? 0), 0);
  return {
    title: "Cold starts",
    aside:
      n === 0 ? "none" : `${formatQuantity(n, "worker")}, ${formatDuration(ms / n)} on average`,
    series: [{ name: "workers", values: points.map(({ coldStarts }) => coldStarts) }],
    format: formatCount,
    minimum: 4,
    wide: true,
  };
}

function total(points: Point[], name: "completed" | "failed" | "coldStarts"): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}
