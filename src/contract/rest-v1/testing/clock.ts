// The service's clock, which tests can move if it is virtual.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const clock = Type.Object(
  {
    now: instant,
    mode: Type.Enum(["system", "virtual"], {
      description: "`virtual` if the service was started with `--clock virtual`.",
    }),
  },
  { title: "Clock" },
);
export type Clock = Static<typeof clock>;

const clockMove = Type.Object(
  {
    advance: Type.Optional(
      Type.String({ description: "A duration: `90s`, `15m`, `36h`, `7d`, `2w`, `1h30m`." }),
    ),
    to: Type.Optional(Type.String({ format: "date-time", description: "A later instant." })),
    workers: Type.Optional(
      Type.Enum(["kept", "silent"], {
        default: "kept",
        description:
          "`kept`: workers that run now count as having called meanwhile. `silent`: they count as silent, " +
          "so that they lose the jobs whose leases run out.",
      }),
    ),
  },
  { title: "ClockMove", additionalProperties: false },
);

const tag = "Testing";

export const clockOperations = {
  getClock: {
    method: "GET",
    path: "/v1/clock",
    tag,
    summary: "Read the service's clock",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The clock.", schema: clock },
  },
  moveClock: {
    method: "POST",
    path: "/v1/clock",
    tag,
    summary: "Move a virtual clock forward",
    description:
      "Everything that becomes due happens in order of its instants. The answer comes once it has settled.",
    needs: { of: "rest", access: "write", area: "account" },
    body: clockMove,
    answer: { status: 200, description: "The clock after the move.", schema: clock },
  },
} as const satisfies Operations;
