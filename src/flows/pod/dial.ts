// A connection to a port of a Pod, on whichever machine it is.

import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { NotReached } from "../../domain/pod/unreached.ts";
import type { LogSources } from "../log/source.ts";

export interface DialDeps extends LogSources {
  clock: Clock;
}

/** Rejects with NotReached. */
export async function dialPod(
  deps: DialDeps,
  pod: Pick<Pod, "id" | "machine" | "driver">,
  port: number,
): Promise<Duplex> {
  if (!deps.attended.at(pod.machine)) return deps.neighbours.dial(pod, port);
  return dialHere(deps, pod, port);
}

/** On a machine that is attended here. */
export async function dialHere(
  { attended }: Pick<LogSources, "attended">,
  { id, machine, driver: name }: Pick<Pod, "id" | "machine" | "driver">,
  port: number,
): Promise<Duplex> {
  const driver = attended.at(machine)?.looking.find((each) => each.name === name);
  if (!driver) throw new NotReached("machine_away");
  try {
    return await driver.dial(id, port);
  } catch (error) {
    // Nothing else than that can be made of an engine that does not answer.
    throw error instanceof NotReached ? error : new NotReached("machine_away");
  }
}
