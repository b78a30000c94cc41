// What still uses GPUs of a machine: workloads that hold them, and containers that are ending.

import type { Tx } from "../../../store/engine/statement.ts";
import { holdersOf } from "../../../store/held-gpu/held-gpu.ts";
import { endingGpus } from "../../../store/pod/resources.ts";

/** What uses one of the GPUs, as the rest of "the GPU, which ..."; null if nothing does. */
export function* usageOfGpus(machine: string, numbers: readonly number[]): Tx<string | null> {
  const [holder] = yield* holdersOf(machine, numbers);
  if (holder !== undefined) return `which ${holder} uses`;
  const ending = yield* endingGpus(machine);
  const isEnding = ending.some(({ gpu }) => numbers.includes(gpu));
  return isEnding ? "which a container that is ending still uses" : null;
}

/** Why the layout of a GPU cannot change while something uses it; `usage` is what `usageOfGpus` says. */
export const busyText = (usage: string): string => `nothing may use the GPU, ${usage}`;
