// The rate limit of a job. An extension of Freehold.

import Type from "typebox";

const members = {
  key: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "Jobs of the endpoint with the same key share its pace. Case counts.",
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description:
      "How many jobs with the key enter the queue per period. The limit, period and burst of the newest " +
      "submission with the key hold for all of them.",
  }),
  period: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    description: "Seconds, at most 7 days.",
  }),
};

const burst = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description:
    "How many jobs enter at once after a quiet time. Default: the jobs of a tenth of a second, at least 1.",
});

const options = {
  additionalProperties: false,
  description:
    "Jobs with this key enter the queue at an even pace, `limit` per `period`; the others wait. An extension " +
    "of Freehold.",
};

export const rateLimitInputSchema = Type.Object(
  { ...members, burst: Type.Optional(burst) },
  { title: "RateLimitInput", ...options },
);

export const rateLimitSchema = Type.Object(
  { ...members, burst },
  { title: "RateLimit", ...options },
);
