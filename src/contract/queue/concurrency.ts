// The concurrency key of a job. An extension of Freehold.

import Type from "typebox";

export const concurrencySchema = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 256,
      description: "Jobs of the endpoint with the same key share its limit. Case counts.",
    }),
    limit: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description:
        "How many jobs with the key are in the queue or running at the same time. The limit of the newest " +
        "submission with the key holds for all of them.",
    }),
  },
  {
    title: "Concurrency",
    additionalProperties: false,
    description:
      "At most `limit` jobs with this key run at the same time; the others wait. An extension of Freehold.",
  },
);
