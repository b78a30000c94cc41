// A time series plot. uPlot is loaded with the first plot.

import { Suspense } from "react";
import { lazyComponent } from "../../lazy-component.ts";
import { Skeleton } from "../layout/skeleton.tsx";

export interface Series {
  name: string;
  values: (number | null)[];
}

export interface PlotProps {
  /** For screen readers. */
  label: string;
  /** Seconds since the epoch. */
  times: number[];
  series: Series[];
  /** Formats a value with its unit. */
  format: (value: number) => string;
  /** The scale reaches at least this value. */
  minimum?: number;
  height?: number;
}

const UplotChart = lazyComponent(() => import("./uplot-chart.tsx"), "UplotChart");

export function Plot(props: PlotProps) {
  const { height = 180, series } = props;
  return (
    <>
      <Suspense
        fallback={
          <div style={{ height }}>
            <Skeleton className="h-full" />
          </div>
        }
      >
        <UplotChart {...props} />
      </Suspense>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
    </>
  );
}

const colors = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];

function Legend({ names }: { names: string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-2.5 text-xs text-muted">
      {names.map((name, n) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className={`h-0.5 w-3 rounded-full ${colors[n % colors.length]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
