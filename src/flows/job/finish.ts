// A worker reports how a job ended.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LongText } from "../../base/json/body.ts";
import { resultTooLarge } from "../../domain/job/sentences.ts";
import { limits } from "../../domain/protocol.ts";
import { finishHeld, finishJob, type Reported, type Result } from "../../store/job/finish.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { topic } from "../../store/wakes.ts";
import { wantEnd } from "../../store/worker/worker.ts";
import { keepText } from "../payload/keep-text.ts";

export interface JobResult {
  jobId: string;
  worker: { id: string; endpointId: string };
  /** The output's JSON text; null where none was posted. */
  output: LongText | null;
  error: string | null;
  /** The worker asks to be replaced after this job. */
  refresh: boolean;
  bytes: number;
}

export async function finish(
  deps: { store: Store; clock: Clock; ids: Ids },
  result: JobResult,
): Promise<Reported> {
  const output = result.output && (await keepText(deps, result.output));
  const { jobId, worker, error, bytes, refresh } = result;
  const ids = { jobId, endpointId: worker.endpointId, workerId: worker.id };
  const awaited = deps.store.wakes.awaited(topic.job(jobId));
  const posted = { ...ids, now: deps.clock.now(), output, error, bytes, awaited };
  if (refresh) return deps.store.write(finishAndRefresh, posted);
  if (await deps.store.write(finishHeld, posted)) return "recorded";
  return deps.store.write(finishJob, posted);
}

function* finishAndRefresh(result: Result): Verb<Reported> {
  const reported = yield* finishJob(result);
  const why = "it asked to be refreshed after a job";
  if (reported !== "unknown") yield* wantEnd(result.workerId, "drain", why, result.now);
  return reported;
}

/** A result over the limit: the job fails and its sentence carries both sizes. */
export async function refuseResult(
  deps: { store: Store; clock: Clock; ids: Ids },
  worker: { id: string; endpointId: string },
  jobId: string,
  bytes: number,
): Promise<void> {
  const error = resultTooLarge(bytes, limits.resultBytes);
  await finish(deps, { jobId, worker, output: null, error, refresh: false, bytes });
}
