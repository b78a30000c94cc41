// A plot drawn by uPlot in the colors of the theme.

import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "../../theme.ts";
import { formatDate, formatDateTime, formatTime } from "../format/time.ts";
import type { PlotProps } from "./plot.tsx";

export function UplotChart(props: PlotProps) {
  const { label, times, series, height = 180 } = props;
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = useTheme();
  const names = series.map(({ name }) => name).join("\n");
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the series are what it is made of
  useEffect(() => {
    const element = container.current!;
    const chart = new uPlot(
      optionsOf(latest.current, element.clientWidth),
      dataOf(latest.current),
      element,
    );
    plot.current = chart;
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [theme, names, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: painted anew whenever the numbers are others
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series]);

  return (
    <div
      ref={container}
      role="img"
      aria-label={`${label}: ${describeSeries(props)}`}
      className="w-full overflow-hidden"
      style={{ height }}
    />
  );
}

function dataOf({ times, series }: PlotProps): uPlot.AlignedData {
  return [times, ...series.map(({ values }) => values)];
}

function describeSeries({ series, format }: PlotProps): string {
  const latestValues = series.map(({ name, values }) => {
    const value = values.findLast((each) => each !== null);
    return `${name} ${value === undefined || value === null ? "unknown" : format(value)}`;
  });
  return `latest ${latestValues.join(", ")}`;
}

function optionsOf(
  { series, format, minimum = 1, height = 180 }: PlotProps,
  width: number,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: color("muted"),
    font: "11px 'Inter Variable', sans-serif",
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { points: { show: false }, y: false },
    plugins: [tooltip(format)],
    scales: { y: { range: (_, __, max) => [0, Math.max(minimum, max * 1.1)] } },
    axes: [
      {
        ...axis,
        size: 28,
        values: (_, ticks, _axis, _space, stepSeconds) =>
          ticks.map((at) => tickText(at * 1_000, stepSeconds < 60)),
      },
      { ...axis, size: 62, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ name }, n) => ({
        label: name,
        stroke: color(`series-${(n % 5) + 1}`),
        width: 1.5,
        points: { show: false, size: 5, filter: isolatedPoints },
        ...(series.length === 1 && { fill: `${color("series-1")}1f` }),
      })),
    ],
  };
}

/** A value between two gaps has no line, so it is drawn as a dot. */
const isolatedPoints: uPlot.Series.Points.Filter = (plot, series) => {
  const values = plot.data[series]!;
  const found = [...values.keys()].filter(
    (n) => values[n] != null && values[n - 1] == null && values[n + 1] == null,
  );
  return found.length > 0 ? found : null;
};

/** The time, or the date where a day begins: "14:05", "11-24". */
function tickText(at: number, withSeconds: boolean): string {
  const time = formatTime(at, withSeconds);
  return /^00:00(:00)?$/.test(time) ? formatDate(at).slice("2026-".length) : time;
}

const DAY_SECONDS = 86_400;

/** The time of a point, with the date where a plot has several days. */
function pointTime(times: ArrayLike<number>, index: number): string {
  const at = times[index]! * 1_000;
  const isLong = times[times.length - 1]! - times[0]! > DAY_SECONDS;
  return isLong ? formatDateTime(at) : formatTime(at, true);
}

/** Shows the values at the pointer. */
function tooltip(format: (value: number) => string): uPlot.Plugin {
  const container = document.createElement("div");
  container.className =
    "pointer-events-none absolute z-10 hidden rounded-control border border-line bg-raised px-2 py-1 text-xs shadow-raised";
  return {
    hooks: {
      init: (plot) => void plot.over.append(container),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor;
        const isVisible = idx !== null && idx !== undefined && left >= 0;
        container.classList.toggle("hidden", !isVisible);
        if (!isVisible) return;
        const lines = plot.series.slice(1).map(({ label }, n) => {
          const value = plot.data[n + 1]?.[idx];
          return `${label} ${value === null || value === undefined ? "no data" : format(value)}`;
        });
        container.textContent = [pointTime(plot.data[0], idx), ...lines].join(" · ");
        container.style.top = "4px";
        container.style.left = `${Math.min(left + 12, Math.max(0, plot.over.clientWidth - container.clientWidth))}px`;
      },
    },
  };
}
