// Numbers over time. What paints them is loaded when there is something to paint.

import { lazy, Suspense } from "react";
import { Skeleton } from "./skeleton.tsx";

export interface Series {
  name: string;
  values: (number | null)[];
}

export interface PlotProps {
  /** What is plotted, for who cannot see it. */
  label: string;
  /** Seconds since the epoch. */
  times: number[];
  series: Series[];
  /** A value as people read it, with its unit. */
  format: (value: number) => string;
  /** The scale goes at least so far. */
  least?: number;
  height?: number;
}

const Painted = lazy(() => import("./painted-plot.tsx"));

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
        <Painted {...props} />
      </Suspense>
      {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
    </>
  );
}

const colours = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];

function Legend({ names }: { names: string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-2.5 text-xs text-muted">
      {names.map((name, n) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className={`h-0.5 w-3 rounded-full ${colours[n % colours.length]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
