// The body of run and runsync, but for `input`, which is carried as the client wrote it.

import Type, { type Static } from "typebox";

export const policySchema = Type.Object(
  {
    executionTimeout: Type.Optional(
      Type.Integer({
        minimum: 5_000,
        maximum: 604_800_000,
        description: "Milliseconds the job may run; 5 s to 7 d.",
      }),
    ),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 10_000,
        maximum: 604_800_000,
        description: "Milliseconds from submission until the job is given up; 10 s to 7 d.",
      }),
    ),
    lowPriority: Type.Optional(
      Type.Boolean({ description: "The job never makes the endpoint add a worker." }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1_000_000,
        maximum: 1_000_000,
        description: "Higher goes first; 0 unless given.",
      }),
    ),
  },
  { description: "How this job is to be treated." },
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
  { description: "Handed to the worker and shown to nobody else." },
);

export const submitSchema = Type.Object(
  {
    input: Type.Object({}, { description: "What the handler is given; any JSON object." }),
    webhook: Type.Optional(
      Type.String({ maxLength: 2048, description: "Called with the job once it has ended." }),
    ),
    policy: Type.Optional(policySchema),
    s3Config: Type.Optional(s3ConfigSchema),
  },
  { title: "Submission" },
);
