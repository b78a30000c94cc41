// The load of a machine in the last hour, sampled every ten seconds, or over days in longer intervals.

import { keepPreviousData } from "@tanstack/react-query";
import { api, type Schema } from "../../api/client.ts";
import { Choice } from "../../components/control/segmented-control.tsx";
import { formatBytes } from "../../components/format/units.ts";
import { gpuSeries, PlotGrid, percent } from "../../components/plot/plot-grid.tsx";
import { useSearchOption } from "../../use-search-param.ts";

type Sample = Schema["MachineSample"];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const ranges = {
  "1h": { name: "1 hour", intervalMs: 10 * SECOND, refreshMs: 10 * SECOND },
  "24h": { name: "24 hours", intervalMs: 5 * MINUTE, refreshMs: MINUTE },
  "7d": { name: "7 days", intervalMs: 30 * MINUTE, refreshMs: MINUTE },
} as const;
type Range = keyof typeof ranges;

const rangeNames = Object.fromEntries(
  Object.entries(ranges).map(([range, { name }]) => [range, name]),
) as Record<Range, string>;

const celsius = (value: number) => `${Math.round(value)} °C`;
const watts = (value: number) => `${Math.round(value)} W`;
const megahertz = (value: number) => `${Math.round(value)} MHz`;

export function MachineLoad({ machineId }: { machineId: string }) {
  const [range, setRange] = useSearchOption("range", rangeNames, "1h");
  const { data } = api.useQuery(
    "get",
    "/v1/machines/{machineId}/metrics",
    { params: { path: { machineId }, query: { range } } },
    { refetchInterval: ranges[range].refreshMs, placeholderData: keepPreviousData },
  );
  if (!data) return null;
  return (
    <section aria-label="Load">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-medium">Load</h2>
        <Choice label="Time range" value={range} onChange={setRange} options={rangeNames} />
      </div>
      {data.samples.length > 0 ? (
        <Plots samples={withGaps(data.samples, ranges[range].intervalMs)} />
      ) : (
        <p className="text-muted">Nothing was measured in this time.</p>
      )}
    </section>
  );
}

/** The samples with an empty one wherever some are missing, so that plots have a gap there. */
function withGaps(samples: Sample[], intervalMs: number): Sample[] {
  return samples.flatMap((sample, n) => {
    const at = Date.parse(sample.at);
    const previousAt = n === 0 ? at : Date.parse(samples[n - 1]!.at);
    if (at - previousAt < 2.5 * intervalMs) return [sample];
    return [{ ...NOTHING, at: new Date(previousAt + intervalMs).toISOString() }, sample];
  });
}

const NOTHING = { cpuPercent: null, memoryUsedBytes: null, memoryBytes: null, gpus: [] };

function Plots({ samples }: { samples: Sample[] }) {
  const times = samples.map(({ at }) => Date.parse(at) / 1_000);
  const one = (name: string, read: (sample: Sample) => number | null) => [
    { name, values: samples.map(read) },
  ];
  const memory = samples.at(-1)?.memoryBytes ?? 1e6;
  const plots = [
    { title: "CPU", series: one("CPU", ({ cpuPercent }) => cpuPercent), ...PERCENT },
    {
      title: "Memory",
      series: one("Memory", ({ memoryUsedBytes }) => memoryUsedBytes),
      format: formatBytes,
      minimum: memory,
    },
    { title: "GPU load", series: gpuSeries(samples, (gpu) => gpu.gpuUtilPercent), ...PERCENT },
    { title: "GPU memory", series: gpuSeries(samples, (gpu) => gpu.memoryUtilPercent), ...PERCENT },
    {
      title: "GPU temperature",
      series: gpuSeries(samples, (gpu) => gpu.temperatureC),
      format: celsius,
      minimum: 100,
    },
    {
      title: "GPU power",
      series: gpuSeries(samples, (gpu) => gpu.powerWatts),
      format: watts,
      minimum: 100,
    },
    {
      title: "GPU clock",
      series: gpuSeries(samples, (gpu) => gpu.clockMhz),
      format: megahertz,
      minimum: 1_000,
    },
  ];
  return <PlotGrid times={times} plots={plots} />;
}

const PERCENT = { format: percent, minimum: 100 };
