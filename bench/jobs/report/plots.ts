// The plots of a run: jobs per second and p99 by clients, for every system that stores something.
import { type Figures, shapes } from "../comparison.ts";
import { type LinePlot, linePlot } from "./line-plot.ts";

/** The SVG texts by the ends of their files' names. */
export function comparisonPlots(figures: Figures[]): Record<"rate" | "p99", string> {
  const clients = shapes.filter(({ form }) => form === "cycle").map(({ clients }) => clients);
  const cycles = figures.filter(
    ({ shape, durability }) => shape.form === "cycle" && durability !== "nothing",
  );
  const names = [...new Set(["Freehold", ...cycles.map(({ peer }) => peer)])];
  const plot = (of: (row: Figures) => number): Pick<LinePlot, "categories" | "series"> => ({
    categories: clients.map(String),
    series: names.map((name) => ({
      name,
      values: cycles.filter(({ peer }) => peer === name).map(of),
    })),
  });
  return {
    rate: linePlot({
      title: "Jobs per second",
      scale: "linear",
      ...plot(({ cyclesPerSecond }) => cyclesPerSecond),
    }),
    p99: linePlot({
      title: "p99 of a job's cycle, in ms",
      scale: "log",
      ...plot(({ p99Ms }) => p99Ms),
    }),
  };
}
