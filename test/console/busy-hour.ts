// An hour of an endpoint's life, written as it would have been: jobs came in waves, waited and ran.

import { claimJobs } from "../../src/store/job/claim.ts";
import { finishHeld } from "../../src/store/job/finish.ts";
import { submitJob } from "../../src/store/job/submit.ts";
import type { TestHouse } from "../house.ts";

const MINUTE_MS = 60_000;

export async function busyHour(
  { house: { store } }: TestHouse,
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
    const taking = now + 400 + Math.round(4_000 * wave);
    const taken = await store.write(claimJobs, endpointId, workerId, 14, taking, MINUTE_MS);
    if (typeof taken === "string") continue;
    for (const [n, { id }] of taken.entries()) {
      const at = taking + 900 + Math.round(250 * wave * (n + 1));
      const result = { jobId: id, endpointId, workerId, now: at, bytes: 8, awaited: false };
      const error = n === 3 && minute % 9 === 4 ? "CUDA out of memory" : null;
      await store.write(finishHeld, { ...result, output: { inline: '"done"' }, error });
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
  webhook: null,
  extras: null,
  input: { inline: '{"prompt":"A hill"}' },
};
