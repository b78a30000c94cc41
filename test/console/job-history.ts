// The job history of an endpoint, written into the store: an hour of jobs that came in waves.

import { claimJobs } from "../../src/transactions/job/claim.ts";
import { finishHeldJob } from "../../src/transactions/job/finish.ts";
import { submitJob } from "../../src/transactions/job/submit.ts";
import type { TestService } from "../fixtures/service/service.ts";

const MINUTE_MS = 60_000;

export async function writeJobHistory(
  { service: { store } }: TestService,
  endpointId: string,
  workerId: string,
): Promise<void> {
  const begin = Date.now() - 58 * MINUTE_MS;
  for (let minute = 0; minute < 57; minute++) {
    const now = begin + minute * MINUTE_MS;
    const wave = 1 + Math.sin((minute + 9) / 6);
    for (let n = 0; n < 5 + 7 * wave; n++) {
      const id = `j${String(minute).padStart(2, "0")}${String(n).padStart(2, "0")}${endpointId}`;
      await store.write(submitJob, { ...job, id, endpointId, now: now + n * 10 });
    }
    const claimedAt = now + 400 + Math.round(4_000 * wave);
    const claimed = await store.write(
      claimJobs,
      { endpointId, workerId },
      14,
      claimedAt,
      MINUTE_MS,
    );
    for (const [n, { id }] of claimed.entries()) {
      const at = claimedAt + 900 + Math.round(250 * wave * (n + 1));
      const result = {
        jobId: id,
        endpointId,
        workerId,
        now: at,
        draw: 0,
        bytes: 8,
        awaited: false,
      };
      const error = n === 3 && minute % 9 === 4 ? "CUDA out of memory" : null;
      await store.write(finishHeldJob, { ...result, output: { inline: '"done"' }, error });
    }
  }
}

const job = {
  sync: false,
  priority: 0,
  lowPriority: false,
  ttlMs: 24 * 60 * MINUTE_MS,
  executionMs: 10 * MINUTE_MS,
  keepMs: 24 * 60 * MINUTE_MS,
  failureKeepMs: 24 * 60 * MINUTE_MS,
  webhook: null,
  retry: null,
  concurrency: null,
  rateLimit: null,
  startAt: null,
  extras: null,
  trace: null,
  batch: null,
  input: { inline: '{"prompt":"A hill"}' },
};
