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
  const { height = 180 } = props;
  return (
    <Suspense
      fallback={
        <div style={{ height }}>
          <Skeleton className="h-full" />
        </div>
      }
    >
      <Painted {...props} />
    </Suspense>
  );
}
