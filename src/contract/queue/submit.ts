// The body of run and runsync, except `input`, which passes through unchanged.

import Type, { type Static } from "typebox";
import { concurrencySchema } from "./concurrency.ts";
import { rateLimitInputSchema } from "./rate-limit.ts";
import { retryPolicySchema } from "./retry-policy.ts";

export const policySchema = Type.Object(
  {
    executionTimeout: Type.Optional(
      Type.Integer({
        minimum: 5_000,
        maximum: 604_800_000,
        description: "Execution timeout in milliseconds; 5 s to 7 d.",
      }),
    ),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 10_000,
        maximum: 604_800_000,
        description: "Time to live in milliseconds from submission; 10 s to 7 d.",
      }),
    ),
    lowPriority: Type.Optional(
      Type.Boolean({ description: "Whether the job is ignored by autoscaling." }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1_000_000,
        maximum: 1_000_000,
        description: "Jobs with a higher priority run first. Default: 0.",
      }),
    ),
    retry: Type.Optional(retryPolicySchema),
    concurrency: Type.Optional(concurrencySchema),
    rateLimit: Type.Optional(rateLimitInputSchema),
    delay: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2_592_000,
        description:
          "Seconds before the job enters its queue, at most 30 days. Its time to live counts from then. An " +
          "extension of Freehold.",
      }),
    ),
    runAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          "The same as an ISO 8601 date and time with an offset, instead of delay. An instant in the past is no " +
          "delay. An extension of Freehold.",
      }),
    ),
  },
  {
    description: "Timeouts, priority, retries, concurrency, rate limit and start of the job.",
    additionalProperties: false,
  },
);
export type Policy = Static<typeof policySchema>;

export const s3ConfigSchema = Type.Object(
  {
    accessId: Type.Optional(Type.String()),
    accessSecret: Type.Optional(Type.String()),
    bucketName: Type.Optional(Type.String()),
    endpointUrl: Type.Optional(Type.String()),
    objectPath: Type.Optional(Type.String()),
  },
  { description: "Passed to the worker; never returned by the API." },
);

export const submitSchema = Type.Object(
  {
    input: Type.Object({}, { description: "The handler's input: any JSON object." }),
    webhook: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: "URL that is called with the job after it ends.",
      }),
    ),
    policy: Type.Optional(policySchema),
    s3Config: Type.Optional(s3ConfigSchema),
  },
  {
    title: "Submission",
    description: "The webhook, the policy and the s3Config have at most 64 KiB each.",
    additionalProperties: false,
  },
);
