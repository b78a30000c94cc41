// A client reads what a job has yielded since its last call.

import { type Clock, Deadline } from "../../../base/clock.ts";
import { type Chunk, isEndedJob, type Job } from "../../../domain/job/job.ts";
import { type VisibleState, visibleState } from "../../../domain/job/moves.ts";
import { limits } from "../../../domain/protocol.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { readChunks } from "../../../store/job/chunk.ts";
import { moveReadCursor } from "../../../transactions/job/output/move-cursor.ts";
import { find } from "../find.ts";

export interface Drained {
  job: Job;
  /** IN_PROGRESS until the reply has the last chunk of an ended job, because clients then stop. */
  status: VisibleState;
  chunks: Chunk[];
  /** Moves the cursor; to be called once the chunks have been sent. */
  delivered: () => Promise<void>;
}

/** Holds the call for `holdMs` while there are no chunks. `from` reads from a chunk on and moves no cursor. */
export async function drainOutput(
  deps: { store: Store; clock: Clock },
  job: { endpointId: string; id: string },
  options: { holdMs: number; from: number | null },
  signal: AbortSignal,
): Promise<Drained> {
  const deadline = new Deadline(deps.clock, options.holdMs);
  const subscription = deps.store.notifier.subscribe(topic.job(job.id));
  try {
    for (;;) {
      const found = await find(deps, job.endpointId, job.id);
      const drained = await readOn(deps.store, found, options.from);
      const leftMs = deadline.leftMs();
      if (drained.chunks.length > 0 || isEndedJob(found) || leftMs === 0 || signal.aborted) {
        return drained;
      }
      await subscription.wait(deps.clock, Math.min(leftMs, 5_000), signal);
    }
  } finally {
    subscription.close();
  }
}

async function readOn(store: Store, job: Job, from: number | null): Promise<Drained> {
  const start = from ?? job.chunksDelivered;
  const chunks = await store.read(readChunks, job, start, limits.streamReplyBytes);
  const next = start + chunks.length;
  const more = next < job.chunks;
  return {
    job,
    status: more && isEndedJob(job) ? "IN_PROGRESS" : visibleState(job.state),
    chunks,
    delivered: async () => {
      if (from === null && chunks.length > 0) await store.write(moveReadCursor, job, next);
    },
  };
}
