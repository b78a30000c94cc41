// Records the signs of life in a worker's own calls.

import { topic } from "../../store/engine/notifier.ts";
import { notify, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { recordWorkerCall, type WorkerCall } from "../../store/worker/calls.ts";
import { endColdStart } from "../trace/worker-spans.ts";

export const recordSign = sideBySide(function* recordSign(
  id: string,
  sign: WorkerCall,
  now: number,
  isTraced = false,
): Tx<void> {
  if (isTraced && sign.ready) yield* endColdStart(id, "queue", now);
  yield* recordWorkerCall(id, now, sign);
  if (!sign.ready) return;
  yield* notify(topic.fleet);
  yield* notify(topic.changedWithin("worker", id));
});
