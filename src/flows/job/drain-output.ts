// A client reads what a job has yielded since it last asked.

import type { Clock } from "../../base/clock.ts";
import { isTerminal, type JobState } from "../../domain/job/moves.ts";
import { limits } from "../../domain/protocol.ts";
import { type Chunk, moveCursor, readChunks } from "../../store/job/chunk.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { topic } from "../../store/wakes.ts";
import { find } from "./find.ts";

export interface Drained {
  job: JobRow;
  /** IN_PROGRESS until the last chunk of an ended job is in the reply: clients stop at the end. */
  status: JobState;
  chunks: Chunk[];
  /** To be called when the chunks have gone out: the cursor moves, and not before. */
  delivered: () => Promise<void>;
}

/** Holds an empty stream for `holdMs`. `from` reads again from a chunk, and moves no cursor. */
export async function drainOutput(
  deps: { store: Store; clock: Clock },
  job: { endpointId: string; id: string },
  options: { holdMs: number; from: number | null },
  signal: AbortSignal,
): Promise<Drained> {
  const until = deps.clock.now() + options.holdMs;
  const bell = deps.store.wakes.hang(topic.job(job.id));
  try {
    for (;;) {
      const found = await find(deps, job.endpointId, job.id);
      const drained = await readOn(deps.store, found, options.from);
      const leftMs = until - deps.clock.now();
      if (drained.chunks.length > 0 || isTerminal(found.state) || leftMs <= 0 || signal.aborted) {
        return drained;
      }
      await bell.wait(deps.clock, Math.min(leftMs, 5_000), signal);
    }
  } finally {
    bell.close();
  }
}

async function readOn(store: Store, job: JobRow, from: number | null): Promise<Drained> {
  const start = from ?? job.drained;
  const chunks = await store.read(readChunks, job, start, limits.streamReplyBytes);
  const next = start + chunks.length;
  const more = next < job.chunks;
  return {
    job,
    status: more && isTerminal(job.state) ? "IN_PROGRESS" : job.state,
    chunks,
    delivered: async () => {
      if (from === null && chunks.length > 0) await store.write(moveCursor, job, next);
    },
  };
}
