// Notifies the listeners of one worker: its polls, and pages that show it.

import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";

export function* notifyWorker(id: string): Tx<void> {
  yield* notify(topic.worker(id));
  yield* notify(topic.changedWithin("worker", id));
}
