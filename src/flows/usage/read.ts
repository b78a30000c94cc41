// Reading the recent resource usage of a Pod or worker, on this or another replica's machine.

import { Fault } from "../../domain/fault.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { LogSources, WorkloadLocation } from "../log/source.ts";

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

/** The newest sample of every workload on some machines, without unreachable machines. */
export async function latestOn(
  { localDrivers, peers }: LogSources,
  machines: ReadonlySet<string>,
): Promise<Record<string, Sample>> {
  const reads = [...machines].map((machine) => {
    const localMachine = localDrivers.at(machine);
    return localMachine
      ? localMachine.usage.latest()
      : peers.latestUsage(machine).catch(() => ({}));
  });
  return Object.assign({}, ...(await Promise.all(reads)));
}
