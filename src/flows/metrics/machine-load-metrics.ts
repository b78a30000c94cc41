// The load of the machines that this process manages, as the last reading found it.

import Gauge from "prom-client/lib/gauge.js";
import type Registry from "prom-client/lib/registry.js";
import type { GpuLoad, MachineLoad } from "../../domain/machine/load/load.ts";
import type { LocalDrivers } from "../replica/local-drivers.ts";

/** What each gauge reads; null for what was not measured. */
const OF_MACHINE: [name: string, help: string, read: (load: MachineLoad) => number | null][] = [
  [
    "machine_cpu_percent",
    "Share of a machine's CPUs that is busy.",
    ({ cpuPercent }) => cpuPercent,
  ],
  [
    "machine_memory_used_bytes",
    "Memory of a machine that programs use.",
    ({ memoryUsedBytes }) => memoryUsedBytes,
  ],
];
const OF_GPU: [name: string, help: string, read: (gpu: GpuLoad) => number | null][] = [
  ["gpu_utilization_percent", "Share of time that a GPU is busy.", (gpu) => gpu.gpuUtilPercent],
  ["gpu_memory_percent", "Share of a GPU's memory that is used.", (gpu) => gpu.memoryUtilPercent],
  ["gpu_temperature_celsius", "Temperature of a GPU.", (gpu) => gpu.temperatureC],
  ["gpu_power_watts", "Power that a GPU draws.", (gpu) => gpu.powerWatts],
  [
    "gpu_clock_hertz",
    "Clock of a GPU's processors.",
    ({ clockMhz }) => clockMhz && clockMhz * 1_000_000,
  ],
];

export function exportMachineLoad(registry: Registry, localDrivers: LocalDrivers): void {
  for (const [name, help, read] of OF_MACHINE) {
    gauge(registry, { name, help, labelNames: ["machine"] }, () =>
      localDrivers.loads().map(([machine, load]) => [{ machine }, read(load)]),
    );
  }
  for (const [name, help, read] of OF_GPU) {
    gauge(registry, { name, help, labelNames: ["machine", "gpu"] }, () =>
      localDrivers
        .loads()
        .flatMap(([machine, { gpus }]) =>
          gpus.map((gpu): Sample => [{ machine, gpu: String(gpu.index) }, read(gpu)]),
        ),
    );
  }
}

type Sample = [labels: Record<string, string>, value: number | null];

interface GaugeText {
  name: string;
  help: string;
  labelNames: string[];
}

/** A series ends with the machine or the sensor that it is of. */
function gauge(registry: Registry, { name, ...text }: GaugeText, read: () => Sample[]): void {
  new Gauge({
    name: `freehold_${name}`,
    ...text,
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, value] of read()) if (value !== null) this.set(labels, value);
    },
  });
}
