// A batch as clients read it and as its webhook sends it.

import { capitalize } from "../../base/text/capitalize.ts";
import type { BatchFacts } from "./batch.ts";

export function batchView({ batch, counts }: BatchFacts) {
  const { id, endpointId, state: status, total, webhook, reason, createdAt, finishedAt } = batch;
  return {
    id,
    endpointId,
    status,
    total,
    counts,
    ...(webhook !== null && { webhook }),
    ...(reason !== null && { reason: `${capitalize(reason)}.` }),
    createdAt: instant(createdAt),
    ...(finishedAt !== null && { finishedAt: instant(finishedAt) }),
  };
}

const instant = (at: number) => new Date(at).toISOString();
