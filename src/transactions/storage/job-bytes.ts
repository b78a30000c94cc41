// What is stored of jobs, counted in the job's row and in its endpoint's counters.

import type { Job, NewJob } from "../../domain/job/job.ts";
import { bytesOf } from "../../domain/payload.ts";
import { recordBytes } from "../../store/endpoint/counts.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addBytes } from "../../store/job/output.ts";
import { dropPayload } from "../../store/payload/payload.ts";

/** A job's row with its indexes, attempts and short texts. */
const ROW_BYTES = 1_024;

type StoredJob = Pick<Job, "seq" | "endpointId">;

type NewTexts = Pick<NewJob, "webhook" | "extras" | "trace"> & { inputBytes: number };

export const bytesOfNew = ({ inputBytes, webhook, extras, trace }: NewTexts): number =>
  ROW_BYTES + inputBytes + shortBytes(webhook) + shortBytes(extras) + shortBytes(trace);

export const bytesOfJob = (job: NewJob): number =>
  bytesOfNew({ ...job, inputBytes: bytesOf(job.input) });

const shortBytes = (text: string | null) => Buffer.byteLength(text ?? "");

export function* addJobBytes({ seq, endpointId }: StoredJob, bytes: number): Tx<void> {
  if (bytes === 0) return;
  yield* addBytes(seq, bytes);
  yield* recordBytes(endpointId, bytes);
}

/** Drops a long output, or progress, that another replaces. */
export function* dropOutput(job: StoredJob, payload: string | null): Tx<void> {
  yield* addJobBytes(job, 0 - (yield* dropPayload(payload)));
}
