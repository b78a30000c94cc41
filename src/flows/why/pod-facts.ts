// What the explanation of a Pod rests on.

import type { Pod } from "../../domain/pod/pod.ts";
import type { PodSeen } from "../../domain/why/pod.ts";
import { machinesThere } from "../machine/list.ts";
import { lastLines, type WhyDeps } from "./look.ts";

export async function podFacts(deps: WhyDeps, pod: Pod): Promise<PodSeen> {
  const machines = await machinesThere(deps);
  const online = machines.some(({ machine, online }) => machine === pod.machine && online);
  return { pod, online, log: await lastLines(deps, pod) };
}
