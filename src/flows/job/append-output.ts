// A worker streams one yield of a job's output.

import type { Clock } from "../../base/clock.ts";
import { splitJson } from "../../base/json/split.ts";
import { limits } from "../../domain/protocol.ts";
import { appendChunks } from "../../store/job/chunk.ts";
import type { Reported } from "../../store/job/finish.ts";
import type { Store } from "../../store/store.ts";

/** `output` and `metrics` are JSON texts; a chunk over the limit is split, never refused. */
export async function appendOutput(
  deps: { store: Store; clock: Clock },
  worker: { id: string; endpointId: string },
  jobId: string,
  chunk: { output: string; metrics: string | null; bytes: number },
): Promise<Reported> {
  const pieces = Array.from(splitJson(chunk.output, limits.chunkBytes), ({ text, part }) => ({
    output: text,
    metrics: part ? JSON.stringify(part) : chunk.metrics,
  }));
  return deps.store.write(
    appendChunks,
    jobId,
    worker.endpointId,
    worker.id,
    pieces,
    chunk.bytes,
    deps.clock.now(),
  );
}
