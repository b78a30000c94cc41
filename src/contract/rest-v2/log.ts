// Log streams of Pods and workers.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";

export const logQuery = Type.Object({
  source: Type.Optional(
    Type.Enum(["container", "system"], {
      description: "Only lines of the container or of the service. Default: both.",
    }),
  ),
  tail: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 5_000,
      default: 100,
      description: "Begin with this many of the newest lines. Ignored with since or Last-Event-ID.",
    }),
  ),
  since: Type.Optional({
    ...instant,
    description: "Begin with the lines at or after this instant.",
  }),
});
export type LogQuery = Static<typeof logQuery>;

export const logAnswer = {
  status: 200,
  description:
    "Server-sent events that do not end by themselves. The data of an event is a line: source, line " +
    'and ts. Send the id of the last event as "Last-Event-ID" to continue after it.',
  mediaType: "text/event-stream",
} as const;
