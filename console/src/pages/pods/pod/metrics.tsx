// The metrics of a Pod for the last hour, sampled every ten seconds.

import { api, type Schema } from "../../../api/client.ts";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { formatBytes } from "../../../components/format/units.ts";
import { Card } from "../../../components/layout/card.tsx";
import { Skeleton } from "../../../components/layout/skeleton.tsx";
import { Plot, type Series } from "../../../components/plot/plot.tsx";

type Sample = Schema["Sample"];

export function PodMetrics({ pod }: { pod: Schema["Pod"] }) {
  const params = { path: { podId: pod.id } };
  const query = api.useQuery("get", "/v1/pods/{podId}/metrics", { params });
  return (
    <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
      {({ samples }) =>
        samples.length === 0 ? (
          <p className="py-16 text-center text-muted">
            No metrics yet. The first samples appear 10 seconds after the Pod starts.
          </p>
        ) : (
          <Plots samples={samples} />
        )
      }
    </QueryResult>
  );
}

const percent = (value: number) => `${Math.round(value)}%`;
const perSecond = (value: number) => `${formatBytes(value)}/s`;

function Plots({ samples }: { samples: Sample[] }) {
  const times = samples.map(({ at }) => Date.parse(at) / 1_000);
  const one = (name: string, read: (sample: Sample) => number | null): Series[] => [
    { name, values: samples.map(read) },
  ];
  const gpus = gpuSeries(samples, ({ gpuUtilPercent }) => gpuUtilPercent);
  const network = [
    { name: "Received", values: rates(samples, ({ receivedBytes }) => receivedBytes) },
    { name: "Sent", values: rates(samples, ({ sentBytes }) => sentBytes) },
  ];
  const disk = one("Disk", ({ diskBytes }) => diskBytes);
  const volume = one("Volume", ({ volumeBytes }) => volumeBytes);
  const limit = samples.at(-1)?.memoryLimitBytes ?? 1e6;
  const plots = [
    {
      title: "CPU",
      series: one("CPU", ({ cpuPercent }) => cpuPercent),
      format: percent,
      minimum: 100,
    },
    {
      title: "Memory",
      series: one("Memory", ({ memoryBytes }) => memoryBytes),
      format: formatBytes,
      minimum: limit,
    },
    { title: "GPUs", series: gpus, format: percent, minimum: 100 },
    { title: "Network", series: network, format: perSecond, minimum: 1_000 },
    { title: "Disks", series: [...disk, ...volume], format: formatBytes, minimum: 1e6 },
  ];
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

function gpuSeries(samples: Sample[], read: (gpu: Schema["GpuUse"]) => number): Series[] {
  const indices = [...new Set(samples.flatMap(({ gpus }) => gpus.map(({ index }) => index)))];
  return indices.map((index) => ({
    name: `GPU ${index}`,
    values: samples.map(({ gpus }) => {
      const gpu = gpus.find((each) => each.index === index);
      return gpu ? read(gpu) : null;
    }),
  }));
}

/** Rates of a counter that restarts with each container. */
function rates(samples: Sample[], read: (sample: Sample) => number | null): (number | null)[] {
  return samples.map((sample, n) => {
    const before = samples[n - 1];
    const [from, to] = [before ? read(before) : null, read(sample)];
    if (!before || from === null || to === null || to < from) return null;
    return ((to - from) * 1_000) / (Date.parse(sample.at) - Date.parse(before.at));
  });
}
