// What takes part in attempts to send a webhook: a move of the clock waits for them, and troubles strike them.

import { type Clock, pause } from "../../base/clock.ts";
import type { AroundAttempt } from "../../loops/deliveries/deliver.ts";
import type { Parts } from "../service-parts.ts";

const LATE_MS = 60_000;

export function aroundWebhook({
  clock,
  virtualTime,
  troubles,
}: Pick<Parts, "virtualTime" | "troubles"> & { clock: Clock }): AroundAttempt {
  const track: AroundAttempt = (attempt) => virtualTime?.activity.track(attempt()) ?? attempt();
  if (!troubles) return track;
  return async (attempt, delivery, signal) => {
    const { url } = delivery;
    // Not tracked: a move of the clock ends this pause.
    if (troubles.strikes("webhook-slow", url)) await pause(clock, LATE_MS, signal);
    const outcome = await track(attempt, delivery, signal);
    if (troubles.strikes("webhook-duplicate", url)) await track(attempt, delivery, signal);
    return outcome;
  };
}
