// A client keeps a Pod for a while that would stop for being idle, or at its maximum lifetime.

import type { Clock } from "../../base/clock.ts";
import { MINUTE_MS } from "../../base/units.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { exemptionText } from "../../domain/usage/exemption.ts";
import { idlePolicyOf } from "../../domain/usage/idle-policy.ts";
import { lifetimeOf, lifetimeSource, lifetimeSpan } from "../../domain/usage/lifetime.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod } from "../../store/pod/row.ts";
import { keepPod } from "../../transactions/pod/idle.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { lockOwnPod } from "./move.ts";

export function keepPodOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  minutes: number,
): Promise<Pod> {
  return throwRefusal(store.write(keep, accountId, id, minutes, clock.now()));
}

function* keep(accountId: string, id: string, minutes: number, now: number): Tx<Pod | Fault> {
  const pod = yield* lockOwnPod(accountId, id);
  if (pod instanceof Fault) return pod;
  const { state } = pod.desired;
  if (state !== "RUNNING") return new Fault("pod_not_running", { id, event: "keep", state });
  const detail = cannotKeep(pod);
  if (detail !== null) return new Fault("invalid_body", { detail });
  yield* keepPod(pod, now + minutes * MINUTE_MS, now);
  return (yield* findPod(id))!;
}

/** Why there is nothing to keep it from; null if there is. */
function cannotKeep(pod: Pod): string | null {
  const { id, desired } = pod;
  const lifetime = lifetimeOf(pod);
  if (idlePolicyOf(pod) !== null || lifetime?.policy.extendable) return null;
  if (lifetime) {
    const { policy } = lifetime;
    return `Pod ${id} may run for ${lifetimeSpan(policy)} after its start${lifetimeSource(policy)}, which cannot be extended.`;
  }
  if (pod.exemption) return `Pod ${id} ${exemptionText(pod.exemption)}. Nothing stops it.`;
  const reason =
    desired.stopWhenIdle === "never"
      ? '\'s "stopWhenIdle" says never'
      : ' has no "stopWhenIdle", nor has its template or project';
  return `Pod ${id}${reason}: it is not stopped for being idle. It has no maximum lifetime either.`;
}
