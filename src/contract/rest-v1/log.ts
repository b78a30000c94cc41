// Logs of Pods and workers: what the container printed, and what the service did for it.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";

export const logLine = Type.Object(
  {
    at: Type.Union([instant, Type.Null()], { description: "When, as far as is known." }),
    type: Type.Enum(["container", "system"], {
      description: "Printed by the container, or told by the service.",
    }),
    text: Type.String(),
    lost: Type.Optional(
      Type.Integer({
        description:
          "Only where a reader that follows was too slow: how many lines are missing here.",
      }),
    ),
  },
  { title: "LogLine" },
);
export type LogLine = Static<typeof logLine>;

export const logQuery = Type.Partial(
  Type.Object({
    type: Type.Enum(["container", "system"], {
      description: "What the container printed, or what the service did; left out, both as one.",
    }),
    tail: Type.Integer({
      minimum: 0,
      maximum: 5_000,
      default: 100,
      description: "How many lines, the newest.",
    }),
    since: Type.String({
      examples: ["10m", "2026-01-31T18:00:00Z"],
      description:
        'Lines of this instant or later; or of so long ago: "90s", "10m", "1h30m", "2d".',
    }),
    follow: Type.Boolean({
      default: false,
      description:
        "Answers with server-sent events: these lines, and every further one as it comes. Each " +
        'event\'s data is a line; "Last-Event-ID" goes on behind an earlier one.',
    }),
  }),
);
export type LogQuery = Static<typeof logQuery>;

export const logAnswer = {
  status: 200,
  description: "The lines, the oldest first.",
  schema: Type.Array(logLine),
  stream: "text/event-stream",
} as const;
