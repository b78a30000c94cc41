// Resource usage of Pods and workers, and the load of machines.

import Type, { type Static, type TSchema } from "typebox";
import { instant } from "../../fields.ts";

const measuredNumber = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} Null if not measured.` });

const percents = {
  index: Type.Integer({ description: "The GPU's index on the machine." }),
  gpuUtilPercent: Type.Number(),
  memoryUtilPercent: Type.Number(),
};

const gpuUse = Type.Object(
  {
    ...percents,
    clockMhz: Type.Optional(measuredNumber("The clock of its processors in MHz.")),
    shared: Type.Optional(
      Type.Boolean({
        description:
          "True for a share of a GPU: the percentages are of the whole GPU, and of all that use it. Absent for others.",
      }),
    ),
  },
  { title: "GpuUse" },
);

const sample = Type.Object(
  {
    at: instant,
    cpuPercent: measuredNumber("Percentage of its virtual CPUs."),
    memoryBytes: Type.Number({ description: "Memory in use, without the file cache." }),
    memoryLimitBytes: measuredNumber("The memory limit."),
    memoryPercent: measuredNumber("Percentage of the memory limit."),
    receivedBytes: measuredNumber("Bytes received over the network since its start."),
    sentBytes: measuredNumber("Bytes sent over the network since its start."),
    diskBytes: measuredNumber("Bytes used on the container disk."),
    volumeBytes: measuredNumber("Bytes used in all its volumes."),
    gpus: Type.Array(gpuUse),
  },
  { title: "Sample" },
);

/** Samples of a kind, of a workload or a machine. */
const metricsOf = <Each extends TSchema>(each: Each, title: string, description: string) =>
  Type.Object(
    {
      latest: Type.Union([each, Type.Null()], {
        description: "The newest sample; null if nothing was measured yet.",
      }),
      samples: Type.Array(each, {
        description,
      }),
    },
    { title },
  );

const answerWith = <Schema extends TSchema>(schema: Schema) =>
  ({ status: 200, description: "The metrics.", schema }) as const;

const LAST_HOUR = "Samples of the last hour, every ten seconds, oldest first.";

const metrics = metricsOf(sample, "Metrics", LAST_HOUR);
export type Metrics = Static<typeof metrics>;

export const metricsAnswer = answerWith(metrics);

const gpuLoad = Type.Object(
  {
    ...percents,
    temperatureC: measuredNumber("Its temperature in degrees Celsius."),
    powerWatts: measuredNumber("The power that it draws."),
    clockMhz: measuredNumber("The clock of its processors in MHz."),
  },
  { title: "GpuLoad" },
);

const machineSample = Type.Object(
  {
    at: instant,
    cpuPercent: measuredNumber("Percentage of all CPUs of the machine."),
    memoryUsedBytes: measuredNumber("Memory that programs use."),
    memoryBytes: measuredNumber("All memory of the machine."),
    gpus: Type.Array(gpuLoad, { description: "Its real GPUs. Simulated ones have no load." }),
  },
  { title: "MachineSample" },
);

const machineMetrics = metricsOf(
  machineSample,
  "MachineMetrics",
  "Samples of the range, oldest first. A sample of `24h` or `7d` stands for the interval that begins at `at`: it has " +
    "averages, but the highest temperature.",
);
export type MachineMetrics = Static<typeof machineMetrics>;

export const machineMetricsAnswer = answerWith(machineMetrics);

/** The query of the metrics of a machine. */
export const machineMetricsQuery = Type.Partial(
  Type.Object({
    range: Type.Union([Type.Literal("1h"), Type.Literal("24h"), Type.Literal("7d")], {
      default: "1h",
      description:
        "How far back: `1h` every ten seconds since the start of the service, `24h` every 5 minutes, " +
        "`7d` every 30 minutes. The last two are stored.",
    }),
  }),
);
