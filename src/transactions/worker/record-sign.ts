// Records the signs of life in a worker's own calls.

import { topic } from "../../store/engine/notifier.ts";
import { notify, sideBySide, type Tx } from "../../store/engine/statement.ts";
import { recordWorkerCall, type WorkerCall } from "../../store/worker/calls.ts";

export const recordSign = sideBySide(function* recordSign(
  id: string,
  sign: WorkerCall,
  now: number,
): Tx<void> {
  yield* recordWorkerCall(id, now, sign);
  if (!sign.ready) return;
  yield* notify(topic.fleet);
  yield* notify(topic.changedWithin("worker", id));
});
