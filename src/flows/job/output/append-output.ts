// A worker streams one yield of a job's output.

import type { Clock } from "../../../base/clock.ts";
import { splitJson } from "../../../base/json/split.ts";
import { limits } from "../../../domain/protocol.ts";
import type { Store } from "../../../store/engine/store.ts";
import { appendChunk } from "../../../transactions/job/output/append-chunk.ts";
import type { Reported } from "../../../transactions/job/report.ts";

/**
 * `output` and `metrics` are JSON texts; a chunk over the limit is split, never refused. Each piece is
 * a transaction of its own, so that other requests are not delayed by all of it.
 */
export async function appendOutput(
  deps: { store: Store; clock: Clock },
  worker: { id: string; endpointId: string },
  jobId: string,
  chunk: { output: string; metrics: string | null; bytes: number },
): Promise<Reported> {
  const subject = { jobId, endpointId: worker.endpointId, workerId: worker.id };
  let reported: Reported = "recorded";
  for (const { text, part } of splitJson(chunk.output, limits.chunkBytes)) {
    const metrics = part ? JSON.stringify(part) : chunk.metrics;
    reported = await deps.store.write(
      appendChunk,
      subject,
      { output: text, metrics },
      chunk.bytes,
      deps.clock.now(),
    );
    if (reported !== "recorded") break;
  }
  return reported;
}
