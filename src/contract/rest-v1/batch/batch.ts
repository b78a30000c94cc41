// Batches: many jobs in one call, with one webhook at the end. Operations of Freehold's own.

import Type from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { policySchema } from "../../queue/submit.ts";
import { delivery } from "../job/job.ts";

const webhook = Type.String({
  maxLength: 2048,
  description: "URL that is called with the batch once all its jobs have ended.",
});

const item = Type.Object(
  {
    input: Type.Object(
      {},
      { description: "The handler's input: any JSON object, at most 10 MiB." },
    ),
    policy: Type.Optional(policySchema),
  },
  {
    title: "BatchItem",
    description: "The policy has at most 64 KiB.",
    additionalProperties: false,
  },
);

const batchCreate = Type.Object(
  {
    endpointId: Type.String({ minLength: 1, description: "An endpoint with a queue." }),
    items: Type.Array(item, {
      minItems: 1,
      maxItems: 5_000,
      description: "What becomes a job each: 1 to 5,000.",
    }),
    webhook: Type.Optional(webhook),
  },
  { title: "BatchCreateInput", additionalProperties: false },
);

const count = (description: string) => Type.Integer({ description });

const fields = {
  id: Type.String(),
  endpointId: Type.String(),
  status: Type.Enum(["PENDING", "RUNNING", "CANCELLING", "COMPLETED", "CANCELLED"], {
    description:
      "PENDING until every item is a job, RUNNING until all of them have ended, whatever their status: then the " +
      "batch is COMPLETED. CANCELLING until the jobs of a cancelled batch have ended.",
  }),
  total: Type.Integer({ description: "How many items it has. The counts add up to it." }),
  counts: Type.Object({
    inQueue: count("Items that wait, also those that are not yet jobs."),
    inProgress: count("Jobs that a worker has."),
    completed: count("Jobs that completed. Ended jobs count also once they are deleted."),
    failed: count("Jobs that failed."),
    cancelled: count("Jobs that were cancelled, and items that never became jobs."),
    timedOut: count("Jobs that timed out."),
  }),
  webhook: Type.Optional(webhook),
  reason: Type.Optional(
    Type.String({ description: "Why it was cancelled, if no client cancelled it." }),
  ),
  createdAt: instant,
  finishedAt: Type.Optional(instant),
};

const batchSummary = Type.Object(fields, { title: "BatchSummary" });
const batch = Type.Object(
  { ...fields, deliveries: Type.Array(delivery, { description: "Webhook deliveries." }) },
  { title: "Batch" },
);

const path = "/v1/batches";
const onePath = `${path}/{batchId}` as const;
const read = { of: "queue", access: "read" } as const;
const write = { of: "queue", access: "write" } as const;
const answer = { status: 200, description: "The batch.", schema: batch } as const;

/** Its body has inputs, which are stored as the client wrote them. */
export const batchItemOperations = {
  createBatch: {
    method: "POST",
    path,
    tag: "Jobs",
    summary: "Submit many jobs in one call",
    description:
      "All or nothing: once it is answered, every item becomes one job, also after a " +
      "restart. The body has at most 64 MiB, and an account at most 100 batches that have not ended. List the jobs of a " +
      "batch with the filter batchId.",
    needs: write,
    body: batchCreate,
    once: true,
    answer,
  },
} as const satisfies Operations;

export const batchOperations = {
  listBatches: {
    method: "GET",
    path,
    tag: "Jobs",
    summary: "List batches",
    description: "The newest 100. A batch is kept for 30 days after its end.",
    needs: read,
    query: Type.Partial(
      Type.Object({ endpointId: Type.String({ description: "Only batches of this endpoint." }) }),
    ),
    answer: { status: 200, description: "The batches.", schema: Type.Array(batchSummary) },
  },
  getBatch: {
    method: "GET",
    path: onePath,
    tag: "Jobs",
    summary: "Read a batch and its progress",
    needs: read,
    answer,
  },
  cancelBatch: {
    method: "POST",
    path: `${onePath}/cancel`,
    tag: "Jobs",
    summary: "Cancel a batch",
    description:
      "Cancels its jobs that have not ended. Items that are not yet jobs never become any.",
    needs: write,
    answer,
  },
  redeliverBatch: {
    method: "POST",
    path: `${onePath}/deliveries/{n}/redeliver`,
    tag: "Jobs",
    summary: "Redeliver a batch's webhook",
    description:
      "Creates a new delivery with its own retries, to the same URL and with the same message id.",
    needs: write,
    answer: { status: 200, description: "The new delivery.", schema: delivery },
  },
} as const satisfies Operations;
