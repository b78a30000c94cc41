// The facts that explain a Pod.

import type { Pod } from "../../domain/pod/pod.ts";
import type { PodFacts } from "../../domain/why/pod.ts";
import { listMachines } from "../machine/list.ts";
import { locationOf } from "../pod/dial.ts";
import { lastLines, type WhyDeps } from "./collect-facts.ts";

export async function podFacts(deps: WhyDeps, pod: Pod): Promise<PodFacts> {
  const machines = await listMachines(deps);
  const host = machines.find(({ machine }) => machine === pod.placement.machine);
  const [online, inventory] = [host?.online ?? false, host?.inventory ?? null];
  return { pod, online, inventory, log: await lastLines(deps, locationOf(pod)) };
}
