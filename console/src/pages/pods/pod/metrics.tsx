// The metrics of a Pod for the last hour, sampled every ten seconds.

import { api, type Schema } from "../../../api/client.ts";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { formatBytes } from "../../../components/format/units.ts";
import { Skeleton } from "../../../components/layout/skeleton.tsx";
import type { Series } from "../../../components/plot/plot.tsx";
import { gpuSeries, PlotGrid, percent } from "../../../components/plot/plot-grid.tsx";

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

const megahertz = (value: number) => `${Math.round(value)} MHz`;
const perSecond = (value: number) => `${formatBytes(value)}/s`;

function Plots({ samples }: { samples: Sample[] }) {
  const times = samples.map(({ at }) => Date.parse(at) / 1_000);
  const one = (name: string, read: (sample: Sample) => number | null): Series[] => [
    { name, values: samples.map(read) },
  ];
  const gpus = gpuSeries(samples, ({ gpuUtilPercent }) => gpuUtilPercent);
  const clocks = gpuSeries(samples, ({ clockMhz }) => clockMhz ?? null);
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
    { title: "GPU clock", series: clocks, format: megahertz, minimum: 100 },
    { title: "Network", series: network, format: perSecond, minimum: 1_000 },
    { title: "Disks", series: [...disk, ...volume], format: formatBytes, minimum: 1e6 },
  ];
  return <PlotGrid times={times} plots={plots} />;
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
