// Forgets the loads that replicas reported last before an instant.

import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { deleteLoadsBefore } from "../../store/request-load/request-load.ts";

export function* expireLoads(before: number): Tx<void> {
  if ((yield* deleteLoadsBefore(before)) > 0) yield* notify(topic.fleet);
}
