// A job as its worker receives it: always with `id` and `input`, the input exactly as the client wrote it.

import type { ClaimedJob } from "../../domain/job/job.ts";
import { runContext } from "../../domain/spans/job-spans.ts";
import { storedContext, storedFields, traceFields } from "../../domain/trace/trace-context.ts";
import type { FlowDeps } from "../../flows/flow-deps.ts";
import { joinTextArray, joinTexts } from "../../flows/payload/join-text.ts";
import { type ReadText, readText } from "../../flows/payload/read-text.ts";

type Store = FlowDeps["store"];

export async function jobObject(store: Store, job: ClaimedJob): Promise<ReadText> {
  const input = (await readText(store, job.input, job.id)) ?? { text: "{}" };
  return objectWith(job, input, store.notifier.tracer !== null);
}

/** An array of jobs, streamed if any of them is long. */
export async function jobArray(store: Store, jobs: ClaimedJob[]): Promise<ReadText> {
  return joinTextArray(await Promise.all(jobs.map((job) => jobObject(store, job))));
}

/** `traceparent` and `tracestate`, with which the handler's spans continue the trace. */
function traceMembers({ id, trace, attempts }: ClaimedJob, isTracing: boolean): string {
  if (trace === null) return "";
  const fields = isTracing
    ? traceFields(runContext(id, attempts, storedContext(trace)))
    : storedFields(trace);
  return `,${JSON.stringify(fields).slice(1, -1)}`;
}

function objectWith(job: ClaimedJob, input: ReadText, isTracing: boolean): ReadText {
  const after = [
    job.webhook === null ? "" : `,"webhook":${JSON.stringify(job.webhook)}`,
    job.extras === null ? "" : `,${job.extras}`,
    traceMembers(job, isTracing),
    job.retries === 0 ? "" : `,"retries":${job.retries}`,
  ];
  return joinTexts(`{"id":"${job.id}","input":`, input, `${after.join("")}}`);
}
