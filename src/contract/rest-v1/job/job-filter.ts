// The filter of jobs that lists, exports and operations on all matching jobs share.

import Type, { type Static } from "typebox";

export const jobStatus = Type.Enum([
  "IN_QUEUE",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMED_OUT",
]);

const time = (description: string) =>
  Type.String({ examples: ["2026-01-31T18:00:00Z", "1h"], description });

/** Each time is an instant or a duration until now. */
export const jobFilterFields = {
  endpointId: Type.String({ minLength: 1, description: "Only jobs of this endpoint." }),
  status: { ...jobStatus, description: "Only jobs in this state." },
  workerId: Type.String({ description: "Only jobs that this worker has or had last." }),
  batchId: Type.String({ minLength: 1, maxLength: 64, description: "Only jobs of this batch." }),
  id: Type.String({
    minLength: 8,
    maxLength: 100,
    description: "Only the job with this id, or jobs whose id begins with it.",
  }),
  error: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Only jobs whose error contains this text, in any case.",
  }),
  since: time("Only jobs submitted at or after this instant, or within this duration."),
  until: time("Only jobs submitted before this instant, or before this duration until now."),
  finishedAfter: time("Only jobs that ended at or after this instant, or within this duration."),
  finishedBefore: time(
    "Only jobs that ended before this instant, or before this duration until now.",
  ),
  quarantined: Type.Boolean({
    description: "With true only jobs in quarantine, with false only others.",
  }),
};

const jobFilter = Type.Partial(Type.Object(jobFilterFields), {
  title: "JobFilter",
  additionalProperties: false,
});

export { jobFilter as jobFilterSchema };
export type JobFilterInput = Static<typeof jobFilter>;
