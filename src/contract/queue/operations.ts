// Operations of an endpoint's queue: /v2/<endpoint>/<operation>. They only document the routes, which
// read bodies as bytes and validate them by hand.

import Type from "typebox";
import type { Operations } from "../operation.ts";
import {
  health,
  metrics,
  purgeResult,
  queueJob,
  requests,
  streamResult,
  submittedJob,
} from "./answers.ts";
import { submitSchema } from "./submit.ts";

const basePath = "/v2/{endpointId}";
const read = { of: "queue", access: "read" } as const;
const write = { of: "queue", access: "write" } as const;
const job = { status: 200, description: "The job.", schema: queueJob } as const;

const wait = (defaultWait: string) =>
  Type.Integer({
    minimum: 1_000,
    maximum: 300_000,
    description: `Maximum wait in milliseconds; a value out of range is clamped. ${defaultWait}`,
  });

const jobQueries = {
  wait: Type.Partial(Type.Object({ wait: wait("Default: 90 s.") })),
  stream: Type.Partial(
    Type.Object({
      wait: wait("Default: a few seconds."),
      from: Type.Integer({
        minimum: 0,
        description: "Index of the first chunk to return; use it to read chunks again.",
      }),
      format: Type.Enum(["array", "envelope"], {
        description:
          "Response format. Default: an array for a GET with the bare key, else an envelope.",
      }),
    }),
  ),
  status: Type.Partial(
    Type.Object({
      ttl: Type.Integer({
        minimum: 1_000,
        maximum: 604_800_000,
        description:
          "Sets the time to live in milliseconds: from submission for a live job, from its end for " +
          "the result of an ended job. Requires write permission.",
      }),
    }),
  ),
};

export const queueOperations = {
  run: {
    method: "POST",
    path: `${basePath}/run`,
    tag: "Queue",
    summary: "Submit a job",
    description: "Responds once the job is on disk. The body can have up to 10 MB.",
    needs: write,
    body: submitSchema,
    once: true,
    answer: { status: 200, description: "The job is queued.", schema: submittedJob },
  },
  runsync: {
    method: "POST",
    path: `${basePath}/runsync`,
    tag: "Queue",
    summary: "Submit a job and wait for it",
    description: "Responds when the job ends or the wait is over. The body can have up to 20 MB.",
    needs: write,
    query: jobQueries.wait,
    body: submitSchema,
    once: true,
    answer: job,
  },
  status: {
    method: "GET",
    path: `${basePath}/status/{jobId}`,
    also: [{ method: "POST", path: `${basePath}/status/{jobId}` }],
    tag: "Queue",
    summary: "Read a job",
    needs: read,
    query: jobQueries.status,
    answer: job,
  },
  statusSync: {
    method: "GET",
    path: `${basePath}/status-sync/{jobId}`,
    also: [{ method: "POST", path: `${basePath}/status-sync/{jobId}` }],
    tag: "Queue",
    summary: "Wait for a job",
    needs: read,
    query: jobQueries.wait,
    answer: job,
  },
  stream: {
    method: "GET",
    path: `${basePath}/stream/{jobId}`,
    also: [{ method: "POST", path: `${basePath}/stream/{jobId}` }],
    tag: "Queue",
    summary: "Read the output that a job yielded since the last call",
    needs: read,
    query: jobQueries.stream,
    answer: { status: 200, description: "The chunks.", schema: streamResult },
  },
  cancel: {
    method: "POST",
    path: `${basePath}/cancel/{jobId}`,
    tag: "Queue",
    summary: "Cancel a job",
    description: "A running job is stopped. An ended job is returned unchanged.",
    needs: write,
    answer: job,
  },
  retry: {
    method: "POST",
    path: `${basePath}/retry/{jobId}`,
    tag: "Queue",
    summary: "Submit a failed job again",
    description: "The job must be FAILED or TIMED_OUT, and its result must not have expired.",
    needs: write,
    answer: { status: 200, description: "The job is queued.", schema: submittedJob },
  },
  purgeQueue: {
    method: "POST",
    path: `${basePath}/purge-queue`,
    tag: "Queue",
    summary: "Remove all queued jobs",
    description: "The jobs end as CANCELLED. Jobs in progress continue.",
    needs: write,
    answer: { status: 200, description: "The number of removed jobs.", schema: purgeResult },
  },
  health: {
    method: "GET",
    path: `${basePath}/health`,
    tag: "Queue",
    summary: "Count an endpoint's jobs and workers",
    needs: read,
    answer: { status: 200, description: "The counts.", schema: health },
  },
  metrics: {
    method: "GET",
    path: `${basePath}/metrics`,
    tag: "Queue",
    summary: "List the workers that can take a job now",
    needs: read,
    answer: { status: 200, description: "The workers.", schema: metrics },
  },
  requests: {
    method: "GET",
    path: `${basePath}/requests`,
    tag: "Queue",
    summary: "List an endpoint's jobs",
    description: "Newest first.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        status: Type.String({ description: "Only jobs in this state." }),
        before: Type.String({ description: "Only jobs submitted before the job with this id." }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The jobs.", schema: requests },
  },
  openai: {
    method: "POST",
    path: `${basePath}/openai/{path}`,
    also: (["GET", "PUT", "PATCH", "DELETE"] as const).map((method) => {
      return { method, path: `${basePath}/openai/{path}` };
    }),
    tag: "Queue",
    summary: "Send an OpenAI request to a worker",
    description:
      "The path can have several segments, such as v1/chat/completions. The response is the value " +
      'that the worker yields: one JSON value, or with "stream": true the text of its events.',
    needs: write,
    body: Type.Unknown({ description: "An OpenAI request." }),
    answer: {
      status: 200,
      description: "The value that the worker yielded.",
      schema: Type.Unknown(),
    },
  },
} as const satisfies Operations;
