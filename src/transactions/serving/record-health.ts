// Records the health of a worker of a load-balancing endpoint.

import type { WorkerHealth } from "../../domain/serving/health-check.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { setHealth } from "../../store/worker/worker.ts";
import { endColdStart } from "../trace/worker-spans.ts";

export function* recordHealth(id: string, health: WorkerHealth, now: number): Tx<void> {
  if (health.state === "ready") yield* endColdStart(id, "serving", now);
  yield* setHealth(id, health, now);
  yield* addSystemLine(id, now, `${health.state}: ${health.finding}`);
  yield* notify(topic.serving);
  yield* notify(topic.fleet);
  yield* notify(topic.changedWithin("worker", id));
}
