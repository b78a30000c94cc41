// Logs of Pods and workers: lines of the container and lines of the service.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";

const logLine = Type.Object(
  {
    at: Type.Union([instant, Type.Null()], {
      description: "When the line was written; null if not known.",
    }),
    type: Type.Enum(["container", "system"], {
      description: "Whether the container or the service wrote the line.",
    }),
    text: Type.String(),
    lost: Type.Optional(
      Type.Integer({
        description: "How many lines are missing before this one because the reader was too slow.",
      }),
    ),
  },
  { title: "LogLine" },
);
export type LogLine = Static<typeof logLine>;

export const logQuery = Type.Partial(
  Type.Object({
    type: Type.Enum(["container", "system"], {
      description:
        "Only lines of the container or only lines of the service. Default: both, merged.",
    }),
    tail: Type.Integer({
      minimum: 0,
      maximum: 5_000,
      default: 100,
      description: "Return this many of the newest lines.",
    }),
    since: Type.String({
      examples: ["10m", "2026-01-31T18:00:00Z"],
      description:
        'Only lines at or after this instant, or within this duration: "90s", "10m", "1h30m", "2d".',
    }),
    follow: Type.Boolean({
      default: false,
      description:
        "Respond with server-sent events: these lines, then every new line. The data of an event " +
        'is one line; send "Last-Event-ID" to continue after an earlier one.',
    }),
  }),
);
export type LogQuery = Static<typeof logQuery>;

/** What Python clients ask for instead: both logs apart, and a Pod and a worker at one path. */
export const splitLogQuery = Type.Partial(
  Type.Object({
    type: Type.Enum(["all", "container", "system"], {
      default: "all",
      description: "Only lines of the container or only lines of the service.",
    }),
    tail: Type.Integer({
      minimum: 0,
      maximum: 5_000,
      default: 1_000,
      description: "Return this many of the newest lines.",
    }),
    since: logQuery.properties.since,
    stream: Type.Boolean({
      default: false,
      description:
        "Respond with server-sent events: these lines, then every new line. The data of an event " +
        "has the members source, line and ts.",
    }),
  }),
);
export type SplitLogQuery = Static<typeof splitLogQuery>;

const lines = (log: string) =>
  Type.Optional(
    Type.Array(Type.String(), {
      description: `Lines of the ${log}, oldest first, each after its time if that is known.`,
    }),
  );

const splitLog = Type.Object(
  { container: lines("container"), system: lines("service") },
  { title: "SplitLog" },
);
export type SplitLog = Static<typeof splitLog>;

export const splitLogAnswer = {
  status: 200,
  description: "The logs that were asked for.",
  schema: splitLog,
  stream: "text/event-stream",
} as const;

export const logAnswer = {
  status: 200,
  description: "The lines, oldest first.",
  schema: Type.Array(logLine),
  stream: "text/event-stream",
} as const;
