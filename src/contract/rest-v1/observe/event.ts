// The event stream: which resources change, as they change.

import type { Operations } from "../../operation.ts";

export const eventOperations = {
  followEvents: {
    method: "GET",
    path: "/v1/events",
    tag: "Events",
    summary: "Follow changes",
    description:
      "Server-sent events. A `change` event lists changed ids by kind, such as " +
      '`{"pod": ["k3x..."], "job": null}`; null means any resource of the kind, and a job is listed ' +
      "by its endpoint's id. There are at most four events per second. An `again` event means that " +
      "changes may have been missed; read everything again. Every stream begins with it.",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The events.", mediaType: "text/event-stream" },
  },
} as const satisfies Operations;
