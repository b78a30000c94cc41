// What is recorded of an idle Pod, its stop, and what keeps a Pod from one.

import { isDeepStrictEqual } from "node:util";
import { durationText } from "../../domain/duration.ts";
import { Fault } from "../../domain/fault.ts";
import { podIdle } from "../../domain/notification/pod-stopping.ts";
import { isUp, type Pod } from "../../domain/pod/pod.ts";
import {
  idlePolicyOf,
  mayReplace,
  type OwnIdleRule,
  requiredRuleText,
} from "../../domain/usage/idle-policy.ts";
import { lifetimeOf, lifetimeSource } from "../../domain/usage/lifetime.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { changePod, lockPod } from "../../store/pod/row.ts";
import { findProjectOf } from "../../store/project/project.ts";
import { raiseEvent } from "../notification/raise.ts";
import { movePod } from "./move.ts";

/** The Pod, locked, unless it was changed, kept or stopped since it was read. */
function* lockUnchanged(lastRead: Pod): Tx<Pod | undefined> {
  const { id, desired, idleSince } = lastRead;
  const pod = yield* lockPod(id);
  if (!pod || !isUp(pod) || pod.desired.generation !== desired.generation) return undefined;
  const isSameRule = isDeepStrictEqual(idlePolicyOf(pod), idlePolicyOf(lastRead));
  return isSameRule && pod.idleSince === idleSince ? pod : undefined;
}

export function* recordIdle(lastRead: Pod, since: number | null): Tx<void> {
  const pod = yield* lockUnchanged(lastRead);
  if (!pod) return;
  yield* changePod(pod.id, { idleSince: since });
  yield* notifyPod(pod);
}

/** What was said; null if the Pod was changed since it was read. */
export function* warnIdle(lastRead: Pod, leftMs: number, at: number): Tx<string | null> {
  const pod = yield* lockUnchanged(lastRead);
  if (!pod) return null;
  const text = `idle for ${durationText(at - pod.idleSince!)}: stops in ${durationText(leftMs)} unless it is used or kept`;
  yield* addSystemLine(pod.id, at, text);
  const event = podIdle(pod, { at, stopsAt: at + leftMs });
  yield* raiseEvent(pod.accountId, event);
  return event.summary;
}

export function* stopIdle(lastRead: Pod, reason: string, at: number): Tx<void> {
  const pod = yield* lockUnchanged(lastRead);
  if (pod) yield* movePod(pod, { event: "stop", cause: "idle", reason, at });
}

/** A Pod's own rule, where its owner's project lets none opt out. */
export function* requireIdleRule(
  ownerId: string | null,
  own: OwnIdleRule | null | undefined,
): Tx<Fault | null> {
  const project = own && ownerId !== null ? yield* findProjectOf(ownerId) : undefined;
  if (!own || !project?.stopWhenIdle) return null;
  const { mayOptOut, ...rule } = project.stopWhenIdle;
  if (mayReplace({ rule, mayOptOut }, own)) return null;
  return new Fault("invalid_body", { detail: requiredRuleText(project.name, rule) });
}

/** Until then it counts as used, and its maximum does not end it as far as it can be extended. */
export function* keepPod(pod: Pod, until: number, at: number): Tx<void> {
  const keptUntil = Math.max(until, pod.desired.keptUntil ?? 0);
  const isIdle = idlePolicyOf(pod) !== null;
  yield* changePod(pod.id, { desired: { keptUntil }, ...(isIdle && { idleSince: until }) });
  yield* addSystemLine(pod.id, at, keptText(pod, { keptUntil, until, at }));
  yield* notifyPod(pod);
}

function keptText(pod: Pod, times: { keptUntil: number; until: number; at: number }): string {
  const { keptUntil, until, at } = times;
  const text = `kept for ${durationText(until - at)}, whether it is used or not`;
  const lifetime = lifetimeOf({ ...pod, desired: { ...pod.desired, keptUntil } });
  if (lifetime === null || lifetime.endsAt === null || lifetime.endsAt >= until) return text;
  const left = durationText(Math.max(0, lifetime.endsAt - at));
  return `${text}, but it stops in ${left}${lifetimeSource(lifetime.policy)}`;
}
