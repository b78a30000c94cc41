// What is due for a Pod at its maximum lifetime: a warning, or its stop.

import { durationText } from "../../domain/duration.ts";
import { podLifetime } from "../../domain/notification/pod-stopping.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import {
  isWarningVoid,
  type LifetimePolicy,
  type LifetimeWarning,
  lifetimeSource,
  lifetimeSpan,
  lifetimeStep,
  lifetimeText,
} from "../../domain/usage/lifetime.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { changePod, lockPod } from "../../store/pod/row.ts";
import { raiseEvent } from "../notification/raise.ts";
import { movePod } from "./move.ts";

/** Decides on the row that it locks, so that two replicas neither warn nor stop twice. Returns when to look again. */
export function* enforceLifetime(id: string, now: number): Tx<number | null> {
  const locked = yield* lockPod(id);
  const pod = locked && (yield* withoutVoidWarning(locked));
  const step = pod ? lifetimeStep(pod, now) : null;
  if (!pod || step === null) return null;
  if (step.do === "wait") return step.until;
  if (step.do === "stop") {
    const reason = lifetimeText(step.policy, step.ranMs);
    yield* movePod(pod, { event: "stop", cause: "max_lifetime", reason, at: now });
    return null;
  }
  yield* warn(pod, step.policy, step.warning);
  const next = lifetimeStep({ ...pod, lifetimeWarning: step.warning }, now);
  return next?.do === "wait" ? next.until : now;
}

/** An end that comes back, because an exemption is over or a maximum holds again, is warned of anew. */
function* withoutVoidWarning(pod: Pod): Tx<Pod> {
  if (!isWarningVoid(pod)) return pod;
  yield* changePod(pod.id, { lifetimeWarning: null });
  return { ...pod, lifetimeWarning: null };
}

function* warn(pod: Pod, policy: LifetimePolicy, warning: LifetimeWarning): Tx<void> {
  const { at, stopsAt } = warning;
  yield* changePod(pod.id, { lifetimeWarning: warning });
  const unless = policy.extendable ? " unless it is kept" : "";
  const text = `may run for ${lifetimeSpan(policy)} after its start${lifetimeSource(policy)}: stops in ${durationText(stopsAt - at)}${unless}`;
  yield* addSystemLine(pod.id, at, text);
  yield* raiseEvent(pod.accountId, podLifetime(pod, policy, warning));
  yield* notifyPod(pod);
}
