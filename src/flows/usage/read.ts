// What a Pod or worker used lately, on whichever machine it is.

import type { Sample } from "../../domain/usage/sample.ts";
import type { Located } from "../log/source.ts";
import type { Neighbours } from "../replica/neighbours.ts";
import type { UsageBook } from "./book.ts";

export interface UsageSources {
  usage: UsageBook;
  neighbours: Neighbours;
}

/** The oldest first; `worker_unreachable` where its machine does not answer. */
export async function usageOf(
  { usage, neighbours }: UsageSources,
  workload: Located,
): Promise<Sample[]> {
  if (neighbours.isHere(workload.machine)) return usage.of(workload.id);
  return neighbours.usage(workload);
}

/** The last sample of every workload on some machines; none of those that do not answer. */
export async function latestOn(
  { usage, neighbours }: UsageSources,
  machines: ReadonlySet<string>,
): Promise<Record<string, Sample>> {
  const looks = [...machines].map((machine) => {
    if (neighbours.isHere(machine)) return usage.latest();
    return neighbours.latestUsage(machine).catch(() => ({}));
  });
  return Object.assign({}, ...(await Promise.all(looks)));
}
