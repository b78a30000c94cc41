// A worker asks for jobs. The poll is held until there is one, the hold is over, or the worker is
// on its way out; a job is never handed to a poll whose socket has gone.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type ClaimedJob, claimJobs } from "../../store/job/claim.ts";
import { unclaim } from "../../store/job/give-back.ts";
import type { Store } from "../../store/store.ts";
import { topic } from "../../store/wakes.ts";
import { findWorker } from "../../store/worker/worker.ts";

export interface TakeDeps {
  store: Store;
  clock: Clock;
  protocol: Protocol;
}

/** Resolves to the jobs, or to none once the hold is over. `gone` aborts when the socket closes. */
export async function take(
  deps: TakeDeps,
  worker: { id: string; endpointId: string },
  most: number,
  gone: AbortSignal,
): Promise<ClaimedJob[]> {
  const { store, clock, protocol } = deps;
  const since = clock.now();
  const queue = topic.queue(worker.endpointId);
  const bell = store.wakes.hang(queue, topic.worker(worker.id));
  try {
    for (;;) {
      const jobs = await store.write(
        claimJobs,
        worker.endpointId,
        worker.id,
        most,
        clock.now(),
        protocol.leaseMs,
      );
      if (gone.aborted) return await putBack(deps, worker.id, jobs);
      if (jobs.length > 0) return jobs;
      const leftMs = since + (await holdMs(deps, worker.id)) - clock.now();
      if (leftMs <= 0) return [];
      await bell.wait(clock, leftMs, gone);
      if (gone.aborted) return [];
    }
  } finally {
    // A wake-up that came for this poll but was not needed belongs to the next in line.
    if (bell.rung) store.wakes.ringSome(queue, 1);
    bell.close();
  }
}

/** A worker that is being signalled is let go, so that it can see the signal, but never spins. */
export async function holdMs({ store, protocol }: TakeDeps, workerId: string): Promise<number> {
  const worker = await store.read(findWorker, workerId);
  const ending = !worker || worker.observed === "ended" || worker.signalled_at !== null;
  return ending ? protocol.endingHoldMs : protocol.pollHoldMs;
}

async function putBack(
  { store, clock }: TakeDeps,
  workerId: string,
  jobs: ClaimedJob[],
): Promise<ClaimedJob[]> {
  await Promise.all(jobs.map(({ seq }) => store.write(unclaim, seq, workerId, clock.now())));
  return [];
}
