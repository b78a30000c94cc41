// The load of a machine in the last hour, sampled every ten seconds.

import { api, type Schema } from "../../api/client.ts";
import { formatBytes } from "../../components/format/units.ts";
import { gpuSeries, PlotGrid, percent } from "../../components/plot/plot-grid.tsx";

type Sample = Schema["MachineSample"];

const TEN_SECONDS = 10_000;
const celsius = (value: number) => `${Math.round(value)} °C`;
const watts = (value: number) => `${Math.round(value)} W`;
const megahertz = (value: number) => `${Math.round(value)} MHz`;

/** Nothing for a machine that is not measured. */
export function MachineLoad({ machineId }: { machineId: string }) {
  const params = { path: { machineId } };
  const { data } = api.useQuery(
    "get",
    "/v1/machines/{machineId}/metrics",
    { params },
    { refetchInterval: TEN_SECONDS },
  );
  return data && data.samples.length > 0 ? <Plots samples={data.samples} /> : null;
}

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
      ...{ format: formatBytes, minimum: memory },
    },
    { title: "GPU load", series: gpuSeries(samples, (gpu) => gpu.gpuUtilPercent), ...PERCENT },
    { title: "GPU memory", series: gpuSeries(samples, (gpu) => gpu.memoryUtilPercent), ...PERCENT },
    {
      title: "GPU temperature",
      series: gpuSeries(samples, (gpu) => gpu.temperatureC),
      ...{ format: celsius, minimum: 100 },
    },
    {
      title: "GPU power",
      series: gpuSeries(samples, (gpu) => gpu.powerWatts),
      ...{ format: watts, minimum: 100 },
    },
    {
      title: "GPU clock",
      series: gpuSeries(samples, (gpu) => gpu.clockMhz),
      ...{ format: megahertz, minimum: 1_000 },
    },
  ];
  return <PlotGrid times={times} plots={plots} />;
}

const PERCENT = { format: percent, minimum: 100 };
