// Gives a worker the ports that its driver chose for it.

import type { Serving } from "../../domain/serving/serving.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { setServing } from "../../store/worker/worker.ts";

export function* assignPorts(id: string, serving: Serving): Tx<void> {
  yield* setServing(id, serving);
  yield* notify(topic.serving);
}
