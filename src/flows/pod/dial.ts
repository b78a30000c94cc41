// Opens a connection to a port of a Pod, on any machine.

import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { LogSources, WorkloadLocation } from "../replica/log-source.ts";

export interface DialDeps extends LogSources {
  clock: Clock;
}

/** A container, and the driver that runs it. */
export interface ContainerLocation extends WorkloadLocation {
  driver: string;
}

export function locationOf({ id, placement: { machine, driver } }: Pod): ContainerLocation {
  return { id, machine, driver };
}

/** Rejects with NotReached. */
export async function dialPod(
  deps: DialDeps,
  location: ContainerLocation,
  port: number,
): Promise<Duplex> {
  if (!deps.localDrivers.at(location.machine)) return deps.peers.dial(location, port);
  return dialHere(deps, location, port);
}

/** Dials on a machine that this replica manages. */
export async function dialHere(
  { localDrivers }: Pick<LogSources, "localDrivers">,
  { id, machine, driver: name }: ContainerLocation,
  port: number,
): Promise<Duplex> {
  const local = localDrivers.at(machine);
  const driver = local?.looking.find((each) => each.name === name);
  if (!driver) throw new NotReached("machine_away");
  try {
    return local!.traffic.watch(id, await driver.dial(id, port));
  } catch (error) {
    // Any other error means that the engine does not answer.
    throw error instanceof NotReached ? error : new NotReached("machine_away");
  }
}
