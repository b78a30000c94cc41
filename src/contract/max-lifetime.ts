// The maximum lifetime of a Pod, by itself, its template, its project or its account.

import Type, { type Static } from "typebox";
import { TAKES } from "./fields.ts";

const TAKEN = "an object with minutes, from 10 to 525600, or null";

export const maxLifetime = Type.Object(
  {
    minutes: Type.Integer({
      minimum: 10,
      maximum: 525_600,
      description: "For how long the Pod may run after its start. A restart does not begin again.",
    }),
    extendable: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Whether the Pod can be kept for longer.",
      }),
    ),
  },
  {
    title: "MaxLifetime",
    additionalProperties: false,
    description:
      "Stops a Pod, and keeps its volume, once it has run for so long since its start. Of several that hold, " +
      "the first to end the Pod does. An extension of Freehold.",
  },
);
export type MaxLifetimeInput = Static<typeof maxLifetime>;

export const maxLifetimeOrNull = Type.Union([maxLifetime, Type.Null()], { [TAKES]: TAKEN });
