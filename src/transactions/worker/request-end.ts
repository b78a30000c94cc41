// Requests the end of a worker, at once or after the jobs it holds.

import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { setDesiredEnd } from "../../store/worker/worker.ts";
import { notifyWorker } from "./notify.ts";

/**
 * With `drain`, a worker finishes the jobs that it holds; with `end`, it does not. False if nothing
 * changed.
 */
export function* requestWorkerEnd(
  id: string,
  desired: "drain" | "end",
  reason: string,
  now: number,
): Tx<boolean> {
  if (!(yield* setDesiredEnd(id, desired, reason, now))) return false;
  const sentence = desired === "drain" ? "is to end when it has no jobs left" : "is to end";
  yield* addSystemLine(id, now, `${sentence}: ${reason}`);
  yield* notifyWorker(id);
  yield* notify(topic.workloads);
  yield* notify(topic.serving);
  return true;
}
