// GPU-hours that Pods held, and how many of them were idle.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const hours = (description: string) => Type.Number({ description });

const idleGpuRecord = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], {
      description:
        "The id of the member, project or Pod, or the day. Null for no member or project.",
    }),
    name: Type.String({ description: "Its name, or the day." }),
    idleGpuHours: hours(
      "GPU-hours in which the Pods were idle, by the default limits of `stopWhenIdle`.",
    ),
    measuredGpuHours: hours(
      "GPU-hours in which the use was measured, including idle ones. Hours that could not be measured are left out.",
    ),
  },
  { title: "IdleGpuRecord" },
);
export type IdleGpuRecord = Static<typeof idleGpuRecord>;

export const idleGpuOperations = {
  listIdleGpuHours: {
    method: "GET",
    path: "/v1/idle-gpu-hours",
    tag: "Quotas",
    summary: "List the GPU-hours that Pods held idle",
    description:
      "Grouped by the member or the project that the Pod belonged to at the time, by Pod, or by day. Records are kept for 13 months. " +
      "An extension of Freehold.",
    needs: { of: "rest", access: "read", area: "account" },
    query: Type.Partial(
      Type.Object({
        grouping: Type.Enum(["member", "project", "pod", "day"], {
          default: "member",
          description: "What the hours are grouped by.",
        }),
        startTime: {
          ...instant,
          description: "Rounded down to a day, in UTC. Default: 30 days before the end.",
        },
        endTime: { ...instant, description: "Exclusive; rounded up to a day. Default: now." },
        format: Type.Enum(["json", "csv"], { default: "json", description: "Response format." }),
      }),
    ),
    answer: {
      status: 200,
      description:
        "One record for each group with hours, the most idle first; days in their order.",
      schema: Type.Array(idleGpuRecord),
    },
  },
} as const satisfies Operations;
