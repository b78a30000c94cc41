// Retries or cancels all jobs that match filters, and shows the progress until all are done.

import { pause, systemClock } from "../../base/clock.ts";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { counted } from "../../base/text/counted.ts";
import type { JobFilterInput } from "../../contract/rest-v1/job/job-filter.ts";
import { type AnswerOf, call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { type Printing, printChange } from "../output/answer.ts";
import { progressBar, withProgress } from "../output/progress.ts";

type Operation = AnswerOf<"POST /v1/job-operations">;
type Action = Operation["action"];

const READ_EVERY_MS = 200;
/** A service that restarts is back within this time. */
const MAX_FAILURES = 150;

const past: Record<Action, string> = { retry: "retried", cancel: "cancelled" };
const present: Record<Action, string> = { retry: "retrying", cancel: "cancelling" };

export async function changeAllJobs(
  service: RunningService,
  action: Action,
  filter: JobFilterInput,
  values: Printing,
): Promise<void> {
  const started = await call(service, "POST /v1/job-operations", { body: { action, filter } });
  const ended = await withProgress(`${present[action]} jobs`, values, (say) =>
    followOperation(service, started, (now) => say(`${present[action]} jobs  ${progressBar(now)}`)),
  );
  printChange(`${past[action]} ${counted(ended.done, "job")}`, ended, values);
  if (ended.status === "CANCELLED")
    throw new Refusal(
      `the operation was stopped after ${counted(ended.done, "job")}`,
      exitCodes.unsuccessful,
    );
}

async function followOperation(
  service: RunningService,
  started: Operation,
  observe: (now: Operation) => void,
): Promise<Operation> {
  const params = { jobOperationId: started.id };
  for (let now = started, failures = 0; ; ) {
    observe(now);
    if (now.status !== "RUNNING") return now;
    await pause(systemClock, READ_EVERY_MS);
    try {
      now = await call(service, "GET /v1/job-operations/{jobOperationId}", { params });
      failures = 0;
    } catch (error) {
      const isPassing = error instanceof Refusal && error.exitCode === exitCodes.unreachable;
      if (!isPassing || ++failures === MAX_FAILURES) throw error;
    }
  }
}
