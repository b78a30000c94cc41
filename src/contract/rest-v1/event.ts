// What changed, as it changes.

import type { Operations } from "../operation.ts";

export const eventOperations = {
  followEvents: {
    method: "GET",
    path: "/v1/events",
    tag: "Events",
    summary: "Follow what changes",
    description:
      "Server-sent events. Each `change` names ids by kind, such as " +
      '`{"pod": ["k3x..."], "job": null}`; null means any of the kind, and the id of a job is its ' +
      "endpoint's. They come at most four times a second. `again` means that some were missed, as " +
      "before the stream began: whoever hears it reads everything again.",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The events.", mediaType: "text/event-stream" },
  },
} as const satisfies Operations;
