// Frees what a batch stores of its items, once none is left to submit.

import type { Batch } from "../../domain/batch/batch.ts";
import { recordBytes } from "../../store/endpoint/counts.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { dropPayload } from "../../store/payload/payload.ts";

/** The batch must be locked and PENDING; its row is changed by the caller. */
export function* dropItems({ items, bytes, endpointId }: Batch): Tx<void> {
  yield* dropPayload(items.payload);
  yield* recordBytes(endpointId, -bytes);
}
