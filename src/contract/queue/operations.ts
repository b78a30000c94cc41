// The queue of an endpoint: /v2/<endpoint>/<operation>. Its routes read bodies as bytes and check
// them by hand; these operations are what they are documented by.

import Type from "typebox";
import type { Operations } from "../operation.ts";
import { health, metrics, purged, queueJob, requests, stream, submitted } from "./answers.ts";
import { submitSchema } from "./submit.ts";

const at = "/v2/{endpointId}";
const read = { of: "queue", access: "read" } as const;
const write = { of: "queue", access: "write" } as const;
const job = { status: 200, description: "The job.", schema: queueJob } as const;

const wait = (more: string) =>
  Type.Integer({
    minimum: 1_000,
    maximum: 300_000,
    description: `Milliseconds to wait; brought into the range. ${more}`,
  });

const jobQueries = {
  wait: Type.Partial(Type.Object({ wait: wait("Without it 90 s.") })),
  stream: Type.Partial(
    Type.Object({
      wait: wait("Without it a few seconds."),
      from: Type.Integer({ minimum: 0, description: "Reads again from this chunk on." }),
      format: Type.Enum(["array", "envelope"], {
        description:
          "Without it a GET with the bare key answers the array, anything else the envelope.",
      }),
    }),
  ),
  status: Type.Partial(
    Type.Object({
      ttl: Type.Integer({
        minimum: 1_000,
        maximum: 604_800_000,
        description:
          "Sets the time to live in milliseconds: of a live job from its submission, of an ended " +
          "job's result from its end. Needs write permission.",
      }),
    }),
  ),
};

export const queueOperations = {
  run: {
    method: "POST",
    path: `${at}/run`,
    tag: "Queue",
    summary: "Submit a job",
    description: "Answers once the job is on disk. A body has at most 10 MB.",
    needs: write,
    body: submitSchema,
    once: true,
    answer: { status: 200, description: "The job is queued.", schema: submitted },
  },
  runsync: {
    method: "POST",
    path: `${at}/runsync`,
    tag: "Queue",
    summary: "Submit a job and wait for it",
    description: "Answers when it has ended or the wait is over. A body has at most 20 MB.",
    needs: write,
    query: jobQueries.wait,
    body: submitSchema,
    once: true,
    answer: job,
  },
  status: {
    method: "GET",
    path: `${at}/status/{jobId}`,
    also: [{ method: "POST", path: `${at}/status/{jobId}` }],
    tag: "Queue",
    summary: "Read a job",
    needs: read,
    query: jobQueries.status,
    answer: job,
  },
  statusSync: {
    method: "GET",
    path: `${at}/status-sync/{jobId}`,
    also: [{ method: "POST", path: `${at}/status-sync/{jobId}` }],
    tag: "Queue",
    summary: "Wait for a job",
    needs: read,
    query: jobQueries.wait,
    answer: job,
  },
  stream: {
    method: "GET",
    path: `${at}/stream/{jobId}`,
    also: [{ method: "POST", path: `${at}/stream/{jobId}` }],
    tag: "Queue",
    summary: "Read what a job has yielded since the last call",
    needs: read,
    query: jobQueries.stream,
    answer: { status: 200, description: "The chunks.", schema: stream },
  },
  cancel: {
    method: "POST",
    path: `${at}/cancel/{jobId}`,
    tag: "Queue",
    summary: "Cancel a job",
    description: "One that runs is stopped; one that has ended answers its state unchanged.",
    needs: write,
    answer: job,
  },
  retry: {
    method: "POST",
    path: `${at}/retry/{jobId}`,
    tag: "Queue",
    summary: "Submit a failed job again",
    description: "Only one that is FAILED or TIMED_OUT and whose result is still kept.",
    needs: write,
    answer: { status: 200, description: "The job is queued.", schema: submitted },
  },
  purgeQueue: {
    method: "POST",
    path: `${at}/purge-queue`,
    tag: "Queue",
    summary: "Remove all queued jobs",
    description: "They end CANCELLED. Jobs in progress go on.",
    needs: write,
    answer: { status: 200, description: "How many were removed.", schema: purged },
  },
  health: {
    method: "GET",
    path: `${at}/health`,
    tag: "Queue",
    summary: "Count an endpoint's jobs and workers",
    needs: read,
    answer: { status: 200, description: "The counts.", schema: health },
  },
  metrics: {
    method: "GET",
    path: `${at}/metrics`,
    tag: "Queue",
    summary: "Name the workers that can take a job now",
    needs: read,
    answer: { status: 200, description: "The workers.", schema: metrics },
  },
  requests: {
    method: "GET",
    path: `${at}/requests`,
    tag: "Queue",
    summary: "List an endpoint's jobs",
    description: "The newest first.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        status: Type.String({ description: "Only jobs in this state." }),
        before: Type.String({ description: "Only jobs submitted before the one with this id." }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The jobs.", schema: requests },
  },
  openai: {
    method: "POST",
    path: `${at}/openai/{path}`,
    also: (["GET", "PUT", "PATCH", "DELETE"] as const).map((method) => {
      return { method, path: `${at}/openai/{path}` };
    }),
    tag: "Queue",
    summary: "Hand an OpenAI request to a worker",
    description:
      "The path may have several parts, such as v1/chat/completions. The reply is what the worker " +
      'yields: one JSON value, or with "stream": true the text of its events.',
    needs: write,
    body: Type.Unknown({ description: "As the OpenAI interface takes it." }),
    answer: { status: 200, description: "What the worker yielded.", schema: Type.Unknown() },
  },
} as const satisfies Operations;
