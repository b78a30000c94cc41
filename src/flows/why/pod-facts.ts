// The facts that explain a Pod.

import type { Pod } from "../../domain/pod/pod.ts";
import type { PodFacts } from "../../domain/why/pod.ts";
import { listMachines } from "../machine/list.ts";
import { locationOf } from "../pod/dial.ts";
import { lastLines, type WhyDeps } from "./collect-facts.ts";

export async function podFacts(deps: WhyDeps, pod: Pod): Promise<PodFacts> {
  const machines = await listMachines(deps);
  const online = machines.some(
    ({ machine, online }) => machine === pod.placement.machine && online,
  );
  return { pod, online, log: await lastLines(deps, locationOf(pod)) };
}
