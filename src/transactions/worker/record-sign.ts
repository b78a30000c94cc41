// Records the signs of life in a worker's own calls.

import type { ProgramStart } from "../../domain/worker/program-start.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { recordWorkerCall, type WorkerCall } from "../../store/worker/calls.ts";
import { setProgramStart } from "../../store/worker/start.ts";
import { endColdStart } from "../trace/worker-spans.ts";

/** `start` is what the worker says about the start of its program, with its first calls. */
export const recordSign = sideBySide(function* recordSign(
  id: string,
  sign: WorkerCall,
  now: number,
  { isTraced = false, start = null }: { isTraced?: boolean; start?: ProgramStart | null } = {},
): Tx<void> {
  if (start) yield* setProgramStart(id, now, start);
  if (isTraced && sign.ready) yield* endColdStart(id, "queue", now);
  yield* recordWorkerCall(id, now, sign);
  if (!sign.ready) return;
  yield* notify(topic.fleet);
  yield* notify(topic.changedWithin("worker", id));
});
