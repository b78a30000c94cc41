// Reading the recent resource usage of a Pod or worker and the load of a machine, on this or another replica's machine.

import { Fault } from "../../domain/fault.ts";
import type { MachineLoad } from "../../domain/machine/load/load.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { LogSources, WorkloadLocation } from "../replica/log-source.ts";

/** The samples, oldest first. Throws `worker_unreachable` if the machine does not respond. */
export async function usageOf(deps: LogSources, workload: WorkloadLocation): Promise<Sample[]> {
  const localMachine = deps.localDrivers.at(workload.machine);
  return localMachine ? localMachine.usage.of(workload.id) : deps.peers.usage(workload);
}

/** The samples of a workload on a machine that this replica manages. */
export function usageHere(
  { localDrivers }: Pick<LogSources, "localDrivers">,
  workload: WorkloadLocation,
): Sample[] {
  const localMachine = localDrivers.at(workload.machine);
  if (!localMachine) throw new Fault("worker_unreachable", { id: workload.id });
  return localMachine.usage.of(workload.id);
}

/** The newest sample of every workload on a machine that this replica manages. */
export function latestHere(
  { localDrivers }: Pick<LogSources, "localDrivers">,
  machine: string,
): Record<string, Sample> {
  return localDrivers.at(machine)?.usage.latest() ?? {};
}

/** The load of a machine in the last hour, oldest first; empty while it does not respond. */
export async function loadOf(
  { localDrivers, peers }: LogSources,
  machine: string,
): Promise<MachineLoad[]> {
  if (localDrivers.at(machine)) return loadHere({ localDrivers }, machine);
  return peers.machineLoad(machine).catch(() => []);
}

/** The load of a machine that this replica manages. */
export const loadHere = (
  { localDrivers }: Pick<LogSources, "localDrivers">,
  machine: string,
): MachineLoad[] => localDrivers.at(machine)?.load.of(machine) ?? [];

export type LatestSamples = (workload: WorkloadLocation) => Sample | undefined;

/** The newest samples of workloads on some machines; none of those on an unreachable machine. */
export async function latestOn(
  { localDrivers, peers }: LogSources,
  machines: ReadonlySet<string>,
): Promise<LatestSamples> {
  const distant = new Map<string, Record<string, Sample>>();
  const read = async (machine: string) => {
    distant.set(machine, await peers.latestUsage(machine).catch(() => ({})));
  };
  await Promise.all([...machines].filter((each) => !localDrivers.at(each)).map(read));
  return ({ machine, id }) => {
    const local = localDrivers.at(machine);
    return local ? local.usage.latestOf(id) : distant.get(machine)?.[id];
  };
}
