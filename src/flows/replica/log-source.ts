// The container log of a Pod or worker, from the driver that runs it, on this or another replica's
// machine.

import { Fault } from "../../domain/fault.ts";
import type { LogLine } from "../../drivers/driver.ts";
import type { LocalDrivers } from "./local-drivers.ts";
import type { PeerClient } from "./peer-client.ts";

export interface LogSources {
  localDrivers: LocalDrivers;
  peers: PeerClient;
}

/** A Pod or a worker, and its machine. */
export interface WorkloadLocation {
  id: string;
  machine: string;
}

/** Only lines at or after this instant; undefined for all. */
type Since = number | undefined;

/** The last `tail` lines, oldest first. Throws `worker_unreachable` if the machine does not respond. */
export async function logOf(
  deps: LogSources,
  workload: WorkloadLocation,
  tail: number,
  since?: Since,
): Promise<LogLine[]> {
  if (!deps.localDrivers.at(workload.machine)) return deps.peers.logs(workload, tail, since);
  return logHere(deps, workload, tail, since);
}

/** The log of a workload on a machine that this replica manages; empty if no driver knows it. */
export async function logHere(
  { localDrivers }: Pick<LogSources, "localDrivers">,
  workload: WorkloadLocation,
  tail: number,
  since?: Since,
): Promise<LogLine[]> {
  for (const driver of driversAt(localDrivers, workload)) {
    const lines = await driver.logs(workload.id, tail, since).catch((error: Error) => {
      throw error.name === "DriverUnavailable" ? unreachable(workload) : error;
    });
    if (lines.length > 0) return lines;
  }
  return [];
}

/** The lines after a mark, then new lines until the run ends; see the driver's `follow`. */
export function followOf(
  deps: LogSources,
  workload: WorkloadLocation,
  after: string | null,
  signal: AbortSignal,
): AsyncIterable<LogLine[]> {
  const { localDrivers, peers } = deps;
  if (!localDrivers.at(workload.machine)) return peers.follow(workload, after, signal);
  return followHere(deps, workload, after, signal);
}

/** Follows a workload on a machine that this replica manages. Drivers that do not know it yield nothing. */
export async function* followHere(
  { localDrivers }: Pick<LogSources, "localDrivers">,
  workload: WorkloadLocation,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<LogLine[]> {
  for (const driver of driversAt(localDrivers, workload)) {
    yield* driver.follow(workload.id, after, signal);
  }
}

function driversAt(localDrivers: LocalDrivers, workload: WorkloadLocation) {
  const localMachine = localDrivers.at(workload.machine);
  if (!localMachine) throw unreachable(workload);
  return localMachine.looking;
}

const unreachable = ({ id }: WorkloadLocation) => new Fault("worker_unreachable", { id });
