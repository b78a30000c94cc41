// A batch as clients read it and as its webhook sends it.

import type { Batch } from "../../domain/batch/batch.ts";
import type { BatchFacts } from "./batch.ts";

export function batchView({ batch, counts }: BatchFacts) {
  const { id, endpointId, state: status, total, webhook, reason, createdAt, finishedAt } = batch;
  return {
    ...{ id, endpointId, status, total, counts },
    ...(webhook !== null && { webhook }),
    ...(reason !== null && { reason: sentence(reason) }),
    createdAt: instant(createdAt),
    ...(finishedAt !== null && { finishedAt: instant(finishedAt) }),
  };
}

const instant = (at: number) => new Date(at).toISOString();

const sentence = (reason: NonNullable<Batch["reason"]>) =>
  `${reason[0]!.toUpperCase()}${reason.slice(1)}.`;
