// Webhook redelivery: calls a job's webhook again. An operation of Freehold's own.

import type { Operations } from "../../operation.ts";
import { delivery } from "./job.ts";

export const jobDeliveryOperations = {
  redeliver: {
    method: "POST",
    path: "/v1/jobs/{jobId}/deliveries/{n}/redeliver",
    tag: "Jobs",
    summary: "Redeliver a job's webhook",
    description:
      "Creates a new delivery with its own retries, to the same URL and with the same message id. " +
      "The job must have ended.",
    needs: { of: "queue", access: "write" },
    answer: { status: 200, description: "The new delivery.", schema: delivery },
  },
} as const satisfies Operations;
