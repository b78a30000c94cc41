// Calls the webhooks of batches, once all their jobs have ended.

import { type BatchFacts, factsOf } from "../../flows/batch/batch.ts";
import { batchView } from "../../flows/batch/batch-view.ts";
import { findAccount } from "../../store/account/account.ts";
import { findBatchBySeq } from "../../store/batch/batch.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { recordBatchTry } from "../../transactions/batch/deliver.ts";
import { type DeliverDeps, deliverLoop } from "../deliveries/deliver.ts";
import { signedRequest } from "../deliveries/json-request.ts";
import { post } from "../deliveries/post.ts";
import type { Loop } from "../engine/loop.ts";

export function deliverBatchesLoop(deps: DeliverDeps): Loop {
  const { store, clock, protocol, reach } = deps;
  return deliverLoop(deps, {
    name: "deliver-batches",
    subject: "batch",
    async attempt(delivery, signal) {
      const found = await store.read(findFacts, delivery.subjectSeq);
      if (!found) return { status: null, error: "the batch was deleted", final: true };
      const { url, message } = delivery;
      const signing = { message, secret: found.secret };
      const request = signedRequest(url, batchView(found), signing, clock.now());
      return post(request, { clock, timeoutMs: protocol.webhookTimeoutMs, reach, signal });
    },
    record: recordBatchTry,
  });
}

type Found = BatchFacts & { secret: string | null };

function* findFacts(seq: number): Tx<Found | null> {
  const batch = yield* findBatchBySeq(seq);
  if (!batch) return null;
  const account = yield* findAccount(batch.accountId);
  return { ...(yield* factsOf(batch)), secret: account?.webhookSecret ?? null };
}
