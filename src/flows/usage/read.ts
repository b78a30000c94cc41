// What a Pod or worker used lately, on whichever machine it is.

import { Fault } from "../../domain/fault.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { Located, LogSources } from "../log/source.ts";

/** The oldest first; `worker_unreachable` where its machine does not answer. */
export async function usageOf(deps: LogSources, workload: Located): Promise<Sample[]> {
  const here = deps.attended.at(workload.machine);
  return here ? here.usage.of(workload.id) : deps.neighbours.usage(workload);
}

/** Of one on a machine that is attended here. */
export function usageHere({ attended }: Pick<LogSources, "attended">, workload: Located): Sample[] {
  const here = attended.at(workload.machine);
  if (!here) throw new Fault("worker_unreachable", { id: workload.id });
  return here.usage.of(workload.id);
}

/** The last sample of every workload on a machine that is attended here. */
export function latestHere(
  { attended }: Pick<LogSources, "attended">,
  machine: string,
): Record<string, Sample> {
  return attended.at(machine)?.usage.latest() ?? {};
}

/** The last sample of every workload on some machines; none of those that do not answer. */
export async function latestOn(
  { attended, neighbours }: LogSources,
  machines: ReadonlySet<string>,
): Promise<Record<string, Sample>> {
  const looks = [...machines].map((machine) => {
    const here = attended.at(machine);
    return here ? here.usage.latest() : neighbours.latestUsage(machine).catch(() => ({}));
  });
  return Object.assign({}, ...(await Promise.all(looks)));
}
