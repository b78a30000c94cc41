// A worker reports how a job ended.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LongText } from "../../base/json/body.ts";
import { resultTooLarge } from "../../domain/job/sentences.ts";
import { limits } from "../../domain/protocol.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { finishHeldJob, finishJob, type JobResult } from "../../transactions/job/finish.ts";
import type { Reported } from "../../transactions/job/report.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import { storeText } from "../payload/store-text.ts";

export interface ResultPost {
  jobId: string;
  worker: { id: string; endpointId: string };
  /** The output's JSON text; null where none was posted. */
  output: LongText | null;
  error: string | null;
  /** True where the worker asks to be replaced after this job. */
  refresh: boolean;
  bytes: number;
}

export async function finish(
  deps: { store: Store; clock: Clock; ids: Ids },
  post: ResultPost,
): Promise<Reported> {
  const output = post.output && (await storeText(deps, post.output));
  const { jobId, worker, error, bytes, refresh } = post;
  const ids = { jobId, endpointId: worker.endpointId, workerId: worker.id };
  const awaited = deps.store.notifier.awaited(topic.job(jobId));
  const [now, draw] = [deps.clock.now(), deps.ids.fraction()];
  const result = { ...ids, now, output, error, draw, bytes, awaited };
  if (refresh) return deps.store.write(finishAndRefresh, result);
  // An error may be that of the worker's GPU, and the job is then tried again.
  if (error === null && (await deps.store.write(finishHeldJob, result))) return "recorded";
  return deps.store.write(finishJob, result);
}

function* finishAndRefresh(result: JobResult): Tx<Reported> {
  const reported = yield* finishJob(result);
  const reason = "it asked to be refreshed after a job";
  if (reported !== "unknown") yield* requestWorkerEnd(result.workerId, "drain", reason, result.now);
  return reported;
}

/** Fails the job of a result over the limit; the error names both sizes. */
export async function refuseResult(
  deps: { store: Store; clock: Clock; ids: Ids },
  worker: { id: string; endpointId: string },
  jobId: string,
  bytes: number,
): Promise<void> {
  const error = resultTooLarge(bytes, limits.resultBytes);
  await finish(deps, { jobId, worker, output: null, error, refresh: false, bytes });
}
