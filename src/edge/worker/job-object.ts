// A job as its worker is given it: `id` and `input` always, the input exactly as the client wrote
// it.

import { joined, joinedArray } from "../../flows/payload/join-text.ts";
import { type ReadText, readText } from "../../flows/payload/read-text.ts";
import type { ClaimedJob } from "../../store/job/claim.ts";
import type { Store } from "../../store/store.ts";

export async function jobObject(store: Store, job: ClaimedJob): Promise<ReadText> {
  const input = (await readText(store, job.input, job.id)) ?? { text: "{}" };
  return objectAround(job, input);
}

/** An array of jobs; streamed if any of them is long. */
export async function jobArray(store: Store, jobs: ClaimedJob[]): Promise<ReadText> {
  return joinedArray(await Promise.all(jobs.map((job) => jobObject(store, job))));
}

function objectAround(job: ClaimedJob, input: ReadText): ReadText {
  const after = [
    job.webhook === null ? "" : `,"webhook":${JSON.stringify(job.webhook)}`,
    job.extras === null ? "" : `,${job.extras}`,
    job.retries === 0 ? "" : `,"retries":${job.retries}`,
  ];
  return joined(`{"id":"${job.id}","input":`, input, `${after.join("")}}`);
}
