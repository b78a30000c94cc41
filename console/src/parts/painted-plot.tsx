// A plot as uPlot paints it, in the colours of the theme.

import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "../shell/theme.ts";
import type { PlotProps } from "./plot.tsx";

export default function PaintedPlot(props: PlotProps) {
  const { label, times, series, height = 180 } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useTheme();
  const names = series.map(({ name }) => name).join("\n");
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the series are what it is made of
  useEffect(() => {
    const element = box.current!;
    const made = new uPlot(
      optionsOf(latest.current, element.clientWidth),
      dataOf(latest.current),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [theme, names, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: painted anew whenever the numbers are others
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series]);

  return (
    <div
      ref={box}
      role="img"
      aria-label={`${label}: ${spoken(props)}`}
      className="w-full overflow-hidden"
      style={{ height }}
    />
  );
}

function dataOf({ times, series }: PlotProps): uPlot.AlignedData {
  return [times, ...series.map(({ values }) => values)];
}

function spoken({ series, format }: PlotProps): string {
  const last = series.map(({ name, values }) => {
    const value = values.findLast((each) => each !== null);
    return `${name} ${value === undefined || value === null ? "unknown" : format(value)}`;
  });
  return `at last ${last.join(", ")}`;
}

function optionsOf(
  { series, format, least = 1, height = 180 }: PlotProps,
  width: number,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: colour("muted"),
    font: "11px 'Inter Variable', sans-serif",
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { points: { show: false }, y: false },
    plugins: [tooltip(format)],
    scales: { y: { range: (_, __, max) => [0, Math.max(least, max * 1.1)] } },
    axes: [
      {
        ...axis,
        size: 28,
        values: (_, ticks, _axis, _space, apart) => ticks.map((at) => clock(at, apart < 60)),
      },
      { ...axis, size: 62, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ name }, n) => ({
        label: name,
        stroke: colour(`series-${(n % 5) + 1}`),
        width: 1.5,
        points: { show: false, size: 5, filter: alone },
        ...(series.length === 1 && { fill: `${colour("series-1")}1f` }),
      })),
    ],
  };
}

/** A value between two that are not known has no line, and is a dot. */
const alone: uPlot.Series.Points.Filter = (plot, series) => {
  const values = plot.data[series]!;
  const found = [...values.keys()].filter(
    (n) => values[n] != null && values[n - 1] == null && values[n + 1] == null,
  );
  return found.length > 0 ? found : null;
};

const clock = (seconds: number, toTheSecond: boolean) =>
  new Date(seconds * 1_000).toLocaleTimeString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    ...(toTheSecond && { second: "2-digit" }),
    hour12: false,
  });

/** The values under the pointer. */
function tooltip(format: (value: number) => string): uPlot.Plugin {
  const box = document.createElement("div");
  box.className =
    "pointer-events-none absolute z-10 hidden rounded-control border border-line bg-raised px-2 py-1 text-xs shadow-raised";
  return {
    hooks: {
      init: (plot) => void plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor;
        const shown = idx !== null && idx !== undefined && left >= 0;
        box.classList.toggle("hidden", !shown);
        if (!shown) return;
        const lines = plot.series.slice(1).map(({ label }, n) => {
          const value = plot.data[n + 1]?.[idx];
          return `${label} ${value === null || value === undefined ? "not measured" : format(value)}`;
        });
        box.textContent = [clock(plot.data[0][idx]!, true), ...lines].join(" · ");
        box.style.top = "4px";
        box.style.left = `${Math.min(left + 12, Math.max(0, plot.over.clientWidth - box.clientWidth))}px`;
      },
    },
  };
}
