// Submits the items of a batch: reads them, builds their jobs, and stores a slice of jobs in each commit.

import type { Batch } from "../../domain/batch/batch.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { NewJob } from "../../domain/job/job.ts";
import { storedContext, type TraceContext } from "../../domain/trace/trace-context.ts";
import { findBatch } from "../../store/batch/batch.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  cancelOfDeleted,
  endWithoutItems,
  submitItems,
} from "../../transactions/batch/submit-items.ts";
import { admittedJob, recordSubmit, type SubmitDeps } from "../job/submit.ts";
import { readText } from "../payload/read-text.ts";
import { type BatchItemText, readItems } from "./items-text.ts";

type BatchDeps = Omit<SubmitDeps, "storageQuota">;

/** Small transactions, so that requests are hardly delayed. */
const MAX_PER_TRANSACTION = 100;

/** Ends early if the batch is cancelled, its endpoint is deleted, or another replica submits it. */
export async function submitBatch(deps: BatchDeps, pending: Batch): Promise<void> {
  try {
    await submitAll(deps, pending);
  } catch (error) {
    // A batch that is cancelled loses its items, also while they are read.
    const batch = await deps.store.read(findBatch, pending.id);
    if (batch?.state === "PENDING") throw error;
  }
}

async function submitAll(deps: BatchDeps, pending: Batch): Promise<void> {
  const { store } = deps;
  let batch = pending;
  for await (const slice of slicesOf(await itemsOf(store, pending), pending.submitted)) {
    const endpoint = await store.read(findEndpoint, batch.endpointId);
    if (!endpoint) return store.write(cancelOfDeleted, batch.id);
    if (!(await submitSlice(deps, batch, endpoint, slice))) return;
    batch = { ...batch, submitted: batch.submitted + slice.length };
  }
  // Otherwise it waits for the rest without end, and so do the batches after it.
  if (batch.submitted < batch.total) await store.write(endWithoutItems, batch);
}

/** False if the batch has changed since it was read. */
async function submitSlice(
  deps: BatchDeps,
  batch: Batch,
  endpoint: Endpoint,
  slice: BatchItemText[],
): Promise<boolean> {
  const trace = batch.trace === null ? null : storedContext(batch.trace);
  const jobs = await Promise.all(
    slice.map((each, n) => jobOf(deps, { batch, endpoint, trace }, each, batch.submitted + n)),
  );
  if (!(await deps.store.write(submitItems, batch, jobs))) return false;
  if (trace) for (const job of jobs) recordSubmit(deps, job, trace);
  return true;
}

async function* slicesOf(items: Buffer, first: number): AsyncGenerator<BatchItemText[]> {
  let slice: BatchItemText[] = [];
  for await (const item of readItems(items, first)) {
    slice.push(item);
    if (slice.length < MAX_PER_TRANSACTION) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

function jobOf(
  deps: BatchDeps,
  { batch, endpoint, trace }: { batch: Batch; endpoint: Endpoint; trace: TraceContext | null },
  { policy, input }: BatchItemText,
  index: number,
): Promise<NewJob> {
  const plain = { sync: false, webhook: null, extras: null, hasWait: false, once: null };
  return admittedJob(
    deps,
    { ...plain, endpoint, policy, input, trace },
    { batchId: batch.id, index },
  );
}

/** An empty list if they are not stored any more. */
async function itemsOf(store: Store, { items, id }: Batch): Promise<Buffer> {
  const text = await readText(store, items, id).catch(nullIfDeleted);
  if (text === null) return Buffer.from("[]");
  if ("text" in text) return Buffer.from(text.text);
  const pieces: Uint8Array[] = [];
  for await (const piece of text.pieces()) pieces.push(piece);
  return Buffer.concat(pieces);
}

function nullIfDeleted(error: unknown): null {
  if (error instanceof Fault && error.code === "job_not_found") return null;
  throw error;
}
