// The workloads that hold a place on a machine.

import { type Tx, together } from "../../store/engine/statement.ts";
import { podsWithPlace } from "../../store/pod/resources.ts";
import { liveWorkers } from "../../store/worker/resources.ts";

/** The workloads among these, Pods and workers, that hold a place. */
export function* workloadsWithPlace(ids: readonly string[]): Tx<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const [pods, workers] = (yield* together<unknown>([podsWithPlace(ids), liveWorkers(ids)])) as [
    string[],
    string[],
  ];
  return new Set([...pods, ...workers]);
}
