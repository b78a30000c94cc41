// Creates a batch with all its items in one commit: before it nothing runs, after it everything does.

import { MAX_UNFINISHED_BATCHES } from "../../domain/batch/batch.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { TextToStore } from "../../domain/payload.ts";
import type { StorageLimit } from "../../domain/storage/storage-limit.ts";
import { holdAccount } from "../../store/account/account.ts";
import { countUnfinished, insertBatch, type NewBatch } from "../../store/batch/batch.ts";
import { recordBytes } from "../../store/endpoint/counts.ts";
import { lockEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { bindText } from "../../store/payload/payload.ts";
import { createOnce } from "../idempotency/create-once.ts";
import { requireStorage } from "../storage/require-storage.ts";

/** Returns the batch, or the one that an earlier request with the same key created. */
export function* createBatchOnce(
  once: IdempotencyKey | null,
  batch: NewBatch,
  items: TextToStore,
  storageLimit: StorageLimit | null = null,
): Tx<Pick<NewBatch, "id"> | Fault> {
  const answer = yield* createOnce<Pick<NewBatch, "id"> | string>(once, batch.createdAt, () =>
    create(batch, items, storageLimit),
  );
  // Earlier versions stored the id alone for a day.
  return typeof answer === "string" ? { id: answer } : answer;
}

function* create(
  batch: NewBatch,
  items: TextToStore,
  storageLimit: StorageLimit | null,
): Tx<Pick<NewBatch, "id"> | Fault> {
  const { id, accountId, endpointId, bytes, createdAt } = batch;
  const endpoint = yield* lockEndpoint(endpointId);
  if (endpoint?.accountId !== accountId) {
    return new Fault("endpoint_not_found", { id: endpointId });
  }
  const refusal = storageLimit && (yield* requireStorage(storageLimit, bytes));
  if (refusal) return refusal;
  // Two transactions could both take the last place.
  yield* holdAccount(accountId);
  if ((yield* countUnfinished(accountId)) >= MAX_UNFINISHED_BATCHES) {
    return new Fault("too_many_running", { limit: MAX_UNFINISHED_BATCHES, nouns: "batches" });
  }
  yield* insertBatch(batch, yield* bindText(items, createdAt));
  yield* recordBytes(endpointId, bytes);
  return { id };
}
