// A job as its worker is given it: `id` and `input` always, the input exactly as the client wrote
// it.

import { Readable } from "node:stream";
import { type ReadText, readText } from "../../flows/payload/read-text.ts";
import type { ClaimedJob } from "../../store/job/claim.ts";
import type { Store } from "../../store/store.ts";
import { around, type Sendable } from "../queue/job-text.ts";

export async function jobObject(store: Store, job: ClaimedJob): Promise<Sendable> {
  const input = (await readText(store, job.input)) ?? { text: "{}" };
  return objectAround(job, input);
}

/** An array of jobs; streamed if any of them is long. */
export async function jobArray(store: Store, jobs: ClaimedJob[]): Promise<Sendable> {
  const objects = await Promise.all(jobs.map((job) => jobObject(store, job)));
  if (objects.every((object) => typeof object === "string")) return `[${objects.join(",")}]`;
  const sizes = objects.map((each) =>
    typeof each === "string" ? Buffer.byteLength(each) : each.bytes,
  );
  async function* pieces() {
    yield Buffer.from("[");
    for (const [n, object] of objects.entries()) {
      if (n > 0) yield Buffer.from(",");
      if (typeof object === "string") yield Buffer.from(object);
      else yield* object.stream as AsyncIterable<Buffer>;
    }
    yield Buffer.from("]");
  }
  const bytes = sizes.reduce((sum, size) => sum + size, objects.length + 1);
  return { bytes, stream: Readable.from(pieces()) };
}

function objectAround(job: ClaimedJob, input: ReadText): Sendable {
  const after = [
    job.webhook === null ? "" : `,"webhook":${JSON.stringify(job.webhook)}`,
    job.extras === null ? "" : `,${job.extras}`,
    job.retries === 0 ? "" : `,"retries":${job.retries}`,
  ];
  return around(`{"id":"${job.id}","input":`, input, `${after.join("")}}`);
}
