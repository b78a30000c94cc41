// Plots beside each other, with their last values. One without a value is left out.

import type { Schema } from "../../api/client.ts";
import { Card } from "../layout/card.tsx";
import { Plot, type Series } from "./plot.tsx";

export interface PlotOf {
  title: string;
  series: Series[];
  format: (value: number) => string;
  /** The least that the axis shows. */
  minimum: number;
}

export const percent = (value: number) => `${Math.round(value)}%`;

/** `times` are in seconds. */
export function PlotGrid({ times, plots }: { times: number[]; plots: PlotOf[] }) {
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      {plots
        .filter(({ series }) => isMeasured(series))
        .map(({ title, ...plot }) => (
          <Card key={title} title={title} aside={lastOf(plot.series, plot.format)} flush>
            <Plot label={title} times={times} {...plot} />
          </Card>
        ))}
    </div>
  );
}

const isMeasured = (series: Series[]) =>
  series.some(({ values }) => values.some((value) => value !== null));

function lastOf(series: Series[], format: (value: number) => string): string {
  const known = series.flatMap(({ name, values }) => {
    const value = values.at(-1);
    return value === null || value === undefined ? [] : [{ name, value }];
  });
  return known
    .map(({ name, value }) => (series.length > 1 ? `${name} ${format(value)}` : format(value)))
    .join(", ");
}

/** A series for each GPU of the samples. */
export function gpuSeries<Gpu extends Schema["GpuUse"]>(
  samples: readonly { gpus: Gpu[] }[],
  read: (gpu: Gpu) => number | null,
): Series[] {
  const indices = [...new Set(samples.flatMap(({ gpus }) => gpus.map(({ index }) => index)))];
  return indices.map((index) => ({
    name: `GPU ${index}`,
    values: samples.map(({ gpus }) => {
      const gpu = gpus.find((each) => each.index === index);
      return gpu ? read(gpu) : null;
    }),
  }));
}
