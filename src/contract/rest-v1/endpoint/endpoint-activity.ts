// The activity of all endpoints: what a list of endpoints shows of each.

import Type from "typebox";
import { type Operations, read } from "../../operation.ts";

const counts = (description: string) =>
  Type.Array(Type.Integer(), {
    description: `${description}, by quarter of an hour, oldest first. The last number is of the current quarter.`,
  });

const endpointActivity = Type.Object(
  {
    endpointId: Type.String(),
    completed: counts("Jobs that completed"),
    failed: counts("Jobs that failed or timed out"),
    executionP95Ms: Type.Union([Type.Integer(), Type.Null()], {
      description:
        "The execution time in milliseconds that 95% of these jobs did not exceed, accurate to 20%; null if none " +
        "was executed.",
    }),
    spentToday: Type.Number({
      description: "Dollars since midnight UTC, including start and idle time of workers.",
    }),
  },
  { title: "EndpointActivity" },
);

export const endpointActivityOperations = {
  listEndpointActivity: {
    method: "GET",
    path: "/v1/endpoint-activity",
    tag: "Endpoints",
    summary: "Read the activity of all endpoints in the last hours",
    description:
      "Endpoints with neither jobs nor cost in that time are left out. The cost of a read does not depend on the " +
      "number of jobs.",
    needs: read,
    query: Type.Object({
      hours: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 24,
          default: 6,
          description: "How many hours to look back.",
        }),
      ),
    }),
    answer: {
      status: 200,
      description: "The endpoints, in no order.",
      schema: Type.Array(endpointActivity),
    },
  },
} as const satisfies Operations;
