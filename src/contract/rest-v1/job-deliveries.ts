// Calling a job's webhook once more. An operation of ours.

import type { Operations } from "../operation.ts";
import { delivery } from "./job.ts";

export const jobDeliveryOperations = {
  redeliver: {
    method: "POST",
    path: "/v1/jobs/{jobId}/deliveries/{n}/redeliver",
    tag: "Jobs",
    summary: "Call a job's webhook once more",
    description:
      "A new delivery with tries of its own, to the same address and under the same message id. " +
      "The job must have ended.",
    needs: { of: "queue", access: "write" },
    answer: { status: 200, description: "The new delivery.", schema: delivery },
  },
} as const satisfies Operations;
