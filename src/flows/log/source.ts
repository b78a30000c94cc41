// What a Pod or worker printed, as far as the driver that runs it still knows, on whichever machine
// it is.

import { Fault } from "../../domain/fault.ts";
import type { LogLine } from "../../drivers/driver.ts";
import type { Attended } from "../replica/attended.ts";
import type { Neighbours } from "../replica/neighbours.ts";

export interface LogSources {
  attended: Attended;
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
  if (!deps.attended.at(workload.machine)) return deps.neighbours.logs(workload, tail, since);
  return logHere(deps, workload, tail, since);
}

/** Of one on a machine that is attended here; none where its driver is not there any more. */
export async function logHere(
  { attended }: Pick<LogSources, "attended">,
  workload: Located,
  tail: number,
  since?: Since,
): Promise<LogLine[]> {
  for (const driver of lookingAt(attended, workload)) {
    const lines = await driver.logs(workload.id, tail, since).catch((error: Error) => {
      throw error.name === "DriverAway" ? unreachable(workload) : error;
    });
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
  const { attended, neighbours } = deps;
  if (!attended.at(workload.machine)) return neighbours.follow(workload, after, gone);
  return followHere(deps, workload, after, gone);
}

/** Of one on a machine that is attended here. Drivers that do not know it have nothing to say of it. */
export async function* followHere(
  { attended }: Pick<LogSources, "attended">,
  workload: Located,
  after: string | null,
  gone: AbortSignal,
): AsyncGenerator<LogLine[]> {
  for (const driver of lookingAt(attended, workload)) {
    yield* driver.follow(workload.id, after, gone);
  }
}

function lookingAt(attended: Attended, workload: Located) {
  const sight = attended.at(workload.machine);
  if (!sight) throw unreachable(workload);
  return sight.looking;
}

const unreachable = ({ id }: Located) => new Fault("worker_unreachable", { id });
