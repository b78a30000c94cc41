// What a Pod or worker printed, as far as the driver that runs it still knows, on whichever machine
// it is.

import type { LogLine, Looking } from "../../drivers/driver.ts";
import type { Neighbours } from "../replica/neighbours.ts";

export interface LogSources {
  /** What looks at the workloads of each driver here. */
  looking: readonly Looking[];
  neighbours: Neighbours;
}

/** A Pod or a worker, and where it runs or ran. */
export interface Located {
  id: string;
  machine: string;
}

/** Lines of this instant or later; undefined: of any time. */
type Since = number | undefined;

/** The last `tail` lines, oldest first; `worker_unreachable` where its machine does not answer. */
export async function logOf(
  deps: LogSources,
  workload: Located,
  tail: number,
  since?: Since,
): Promise<LogLine[]> {
  const { neighbours } = deps;
  if (!neighbours.isHere(workload.machine)) return neighbours.logs(workload, tail, since);
  return logHere(deps, workload.id, tail, since);
}

/** Of one on this machine; none where its driver is not here any more. */
export async function logHere(
  { looking }: Pick<LogSources, "looking">,
  id: string,
  tail: number,
  since?: Since,
): Promise<LogLine[]> {
  for (const driver of looking) {
    const lines = await driver.logs(id, tail, since);
    if (lines.length > 0) return lines;
  }
  return [];
}

/** What stands behind a mark, and what it prints until its run ends; see the driver's `follow`. */
export function followOf(
  deps: LogSources,
  workload: Located,
  after: string | null,
  gone: AbortSignal,
): AsyncIterable<LogLine[]> {
  const { neighbours } = deps;
  if (!neighbours.isHere(workload.machine)) return neighbours.follow(workload, after, gone);
  return followHere(deps, workload.id, after, gone);
}

/** Of one on this machine. Drivers that do not know it have nothing to say of it. */
export async function* followHere(
  { looking }: Pick<LogSources, "looking">,
  id: string,
  after: string | null,
  gone: AbortSignal,
): AsyncGenerator<LogLine[]> {
  for (const driver of looking) yield* driver.follow(id, after, gone);
}
