// What Pods and workers use.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";

const measured = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} Null: not measured.` });

const gpuUse = Type.Object(
  {
    index: Type.Integer({ description: "As the machine's driver counts them." }),
    gpuUtilPercent: Type.Number(),
    memoryUtilPercent: Type.Number(),
  },
  { title: "GpuUse" },
);

export const sample = Type.Object(
  {
    at: instant,
    cpuPercent: measured("Of the virtual CPUs it has."),
    memoryBytes: Type.Number({ description: "Without files that are only cached." }),
    memoryLimitBytes: measured("The most it may use."),
    memoryPercent: measured("Of that."),
    receivedBytes: measured("Through its network since its start."),
    sentBytes: measured("Through its network since its start."),
    diskBytes: measured("Of its container's disk."),
    volumeBytes: measured("In all its volumes."),
    gpus: Type.Array(gpuUse),
  },
  { title: "Sample" },
);
export type Sample = Static<typeof sample>;

export const metrics = Type.Object(
  {
    latest: Type.Union([sample, Type.Null()], { description: "Null: nothing was measured yet." }),
    samples: Type.Array(sample, {
      description: "Every ten seconds of the last hour, the oldest first.",
    }),
  },
  { title: "Metrics" },
);
export type Metrics = Static<typeof metrics>;

export const metricsAnswer = {
  status: 200,
  description: "What it uses.",
  schema: metrics,
} as const;
