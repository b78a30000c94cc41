// The events for a Pod that stops soon: because it is not used, or at its maximum lifetime. Pure.

import { durationText } from "../duration.ts";
import type { Pod } from "../pod/pod.ts";
import { type LifetimePolicy, lifetimeSource, lifetimeSpan } from "../usage/lifetime.ts";
import { type AccountEvent, accountEvent, named } from "./event.ts";

export function podIdle(
  { id, name, idleSince, placement }: Pod,
  { at, stopsAt }: { at: number; stopsAt: number },
): AccountEvent {
  const idle = durationText(at - (idleSince ?? at));
  return accountEvent({
    type: "pod_idle",
    at,
    summary: `Pod ${named(name, id)} has been idle for ${idle} and stops in ${durationText(stopsAt - at)} unless it is used or kept.`,
    resource: { type: "pod", id, name },
    details: {
      idleSince: new Date(idleSince ?? at).toISOString(),
      stopsAt: new Date(stopsAt).toISOString(),
      machineId: placement.machine,
    },
  });
}

export function podLifetime(
  { id, name, desired, placement }: Pod,
  policy: LifetimePolicy,
  { at, stopsAt }: { at: number; stopsAt: number },
): AccountEvent {
  const unless = policy.extendable ? " unless it is kept" : "";
  return accountEvent({
    type: "pod_lifetime",
    at,
    summary: `Pod ${named(name, id)} may run for ${lifetimeSpan(policy)} after its start${lifetimeSource(policy)}, and stops in ${durationText(stopsAt - at)}${unless}.`,
    resource: { type: "pod", id, name },
    details: {
      runningSince: new Date(desired.runningSince ?? at).toISOString(),
      stopsAt: new Date(stopsAt).toISOString(),
      extendable: policy.extendable,
      machineId: placement.machine,
    },
  });
}
