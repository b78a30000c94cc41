// The log of a job: what its worker printed while it had the job.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { logQuery } from "../observe/log.ts";

const jobLogLine = Type.Object(
  {
    at: Type.Union([instant, Type.Null()], {
      description: "When the line was written; null if not known.",
    }),
    type: Type.Enum(["container", "system"], {
      description: "Whether the worker or the service wrote the line.",
    }),
    text: Type.String(),
    level: Type.Optional(
      Type.String({
        description: "The level of a line of a worker library, such as INFO or ERROR.",
      }),
    ),
    workerId: Type.Optional(Type.String({ description: "The worker that wrote the line." })),
    lost: Type.Optional(
      Type.Integer({ description: "How many lines before this one are not available." }),
    ),
  },
  { title: "JobLogLine" },
);
export type JobLogLine = Static<typeof jobLogLine>;

const { tail, since, follow } = logQuery.properties;

export const jobLogOperations = {
  jobLogs: {
    method: "GET",
    path: "/v1/jobs/{jobId}/logs",
    tag: "Jobs",
    summary: "Read or follow what a job printed",
    description:
      "Lines of the worker libraries carry the id of their job. Other lines belong to a job if it was " +
      "the only one of its worker when they were written. A line can be read about two seconds after it was " +
      "written, and as long as the job. A job has its newest 2,000 lines and at most 262,144 characters; " +
      "if more are missing, the first line says how many.",
    needs: { of: "queue", access: "read" },
    query: Type.Partial(Type.Object({ tail, since, follow })),
    answer: {
      status: 200,
      description: "The lines, oldest first.",
      schema: Type.Array(jobLogLine),
      stream: "text/event-stream",
    },
  },
} as const satisfies Operations;

export type JobLogQuery = Static<typeof jobLogOperations.jobLogs.query>;
