// The facts that explain a Pod.

import { lastErrorText } from "../../domain/gpu/health-record.ts";
import { overdueEndMs } from "../../domain/pod/container/overdue-end.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { PodFacts } from "../../domain/why/pod.ts";
import { isEndUnseen } from "../../store/pod/unseen-end.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { listMachines } from "../machine/list.ts";
import { locationOf } from "../pod/dial.ts";
import { lastLines, type WhyDeps } from "./collect-facts.ts";

export async function podFacts(deps: WhyDeps, pod: Pod): Promise<PodFacts> {
  const machines = await listMachines(deps);
  const host = machines.find(({ machine }) => machine === pod.placement.machine);
  const isUnseen = await deps.store.read(isEndUnseen, pod.id);
  return {
    pod,
    online: host?.online ?? false,
    inventory: host?.inventory ?? null,
    gpuError: lastErrorText(host?.gpuHealth.errors ?? {}, pod.id),
    overdueEndMs: isUnseen ? null : overdueEndMs(pod, deps.clock.now(), deps.protocol),
    log: await lastLines(deps, locationOf(pod)),
    isOperator: (await deps.store.read(requireOperator, pod.accountId)) === null,
  };
}
