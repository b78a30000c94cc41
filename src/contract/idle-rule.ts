// Rules for idle Pods: of a Pod, a template or a project.

import Type, { type Static } from "typebox";
import { TAKES, wholeNumber } from "./fields.ts";

export const idleRule = Type.Object(
  {
    minutes: Type.Integer({
      minimum: 1,
      maximum: 43_200,
      description: "For how long the Pod must be idle before it is stopped.",
    }),
    gpuPercent: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        default: 5,
        description: "Each of its GPUs is used no more than this.",
      }),
    ),
    cpuPercent: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100_000,
        default: 25,
        description: "All its CPUs together are used no more than this, in percent of one CPU.",
      }),
    ),
    networkBytesPerSecond: Type.Optional(
      wholeNumber(0, { default: 5_000, description: "It receives and sends no more than this." }),
    ),
  },
  {
    title: "IdleRule",
    additionalProperties: false,
    description:
      "Stops the Pod once it was not used for so long: no load of GPUs, CPUs and network above these " +
      "limits, and no command, terminal or SSH session with input. An extension of Freehold.",
  },
);
export const neverIdle = Type.Object(
  { never: Type.Literal(true, { [TAKES]: "true" }) },
  {
    title: "NeverIdle",
    additionalProperties: false,
    description:
      "Never stops the Pod for being idle, not by the rule of its owner's project either.",
  },
);
export const ownIdleRule = Type.Union([idleRule, neverIdle]);
export type OwnIdleRuleInput = Static<typeof ownIdleRule>;
export type IdleRuleInput = Static<typeof idleRule>;
