// Batches: an account creates, reads and cancels them. A loop submits their items and ends them.

import type { LongText } from "../../base/json/body.ts";
import type { Batch, BatchCounts } from "../../domain/batch/batch.ts";
import { countItems } from "../../domain/batch/batch.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type TraceContext, traceText } from "../../domain/trace/trace-context.ts";
import type { Delivery, DeliveryLog } from "../../domain/webhook/delivery.ts";
import { findBatch, listBatches } from "../../store/batch/batch.ts";
import { deliveriesOf } from "../../store/delivery/delivery.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { countJobsOfBatch } from "../../store/job/list/of-batch.ts";
import { cancelBatch } from "../../transactions/batch/cancel.ts";
import { createBatchOnce } from "../../transactions/batch/create.ts";
import { redeliverBatch } from "../../transactions/batch/deliver.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { storeText } from "../payload/store-text.ts";
import type { StorageQuota } from "../storage-quota.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface BatchRequest {
  accountId: string;
  endpointId: string;
  /** How many items the text has. */
  total: number;
  /** The items as `ItemsText` writes them. */
  items: LongText;
  webhook: string | null;
  trace: TraceContext | null;
  once: IdempotencyKey | null;
}

export interface BatchFacts {
  batch: Batch;
  counts: BatchCounts;
}

export type DetailedBatch = BatchFacts & { deliveries: DeliveryLog[] };

const MAX_LISTED = 100;

/** All of its items are durable before the client is answered; a request that breaks off leaves nothing behind. */
export async function createBatch(
  deps: FlowDeps & { storageQuota: StorageQuota },
  { items, trace, once, ...settings }: BatchRequest,
): Promise<DetailedBatch> {
  const { store, clock, ids } = deps;
  if (store.isFull) throw new Fault("disk_full");
  const storageLimit = await deps.storageQuota.admit(settings.accountId, items.length);
  const text = await storeText(deps, items);
  const batch = {
    ...settings,
    id: ids.short(14),
    bytes: items.length,
    createdAt: clock.now(),
    trace: trace && traceText(trace),
  };
  const { id } = await throwRefusal(store.write(createBatchOnce, once, batch, text, storageLimit));
  return readBatch(deps, settings.accountId, id);
}

/** The newest first. */
export function readBatches(
  { store }: Pick<FlowDeps, "store">,
  accountId: string,
  endpointId: string | null,
): Promise<BatchFacts[]> {
  return store.read(listWithCounts, accountId, endpointId);
}

function* listWithCounts(accountId: string, endpointId: string | null): Tx<BatchFacts[]> {
  const batches = yield* listBatches(accountId, endpointId, MAX_LISTED);
  return yield* together(batches.map(factsOf));
}

export async function readBatch(
  { store }: Pick<FlowDeps, "store">,
  accountId: string,
  id: string,
): Promise<DetailedBatch> {
  const found = await store.read(findWithDeliveries, id);
  if (found?.batch.accountId !== accountId) throw new Fault("batch_not_found", { id });
  return found;
}

function* findWithDeliveries(id: string): Tx<DetailedBatch | null> {
  const batch = yield* findBatch(id);
  if (!batch) return null;
  const deliveries = yield* deliveriesOf("batch", batch.seq);
  return { ...(yield* factsOf(batch)), deliveries };
}

export function* factsOf(batch: Batch): Tx<BatchFacts> {
  const counts = batch.endCounts ?? countItems(batch, yield* countJobsOfBatch(batch.id));
  return { batch, counts };
}

/** Its jobs are cancelled soon after. One that has ended is returned unchanged. */
export async function stopBatch(
  deps: Pick<FlowDeps, "store">,
  accountId: string,
  id: string,
): Promise<DetailedBatch> {
  await readBatch(deps, accountId, id);
  await deps.store.write(cancelBatch, id);
  return readBatch(deps, accountId, id);
}

/** Calls the webhook again: a new delivery with its own tries, under the message id of the earlier one. */
export async function resendBatch(
  deps: Pick<FlowDeps, "store" | "clock">,
  { accountId, id, n }: { accountId: string; id: string; n: number },
): Promise<Delivery> {
  await readBatch(deps, accountId, id);
  return throwRefusal(deps.store.write(redeliverBatch, id, n, deps.clock.now()));
}
