// Rules for the Pods of a template, completed by the usual limits.

import type { IdleRuleInput } from "../../../contract/idle-rule.ts";
import type { MaxLifetimeInput } from "../../../contract/max-lifetime.ts";
import { type IdleRule, usualIdleRule } from "../../../domain/usage/idle.ts";
import { maxLifetimeOf } from "./max-lifetime.ts";

export const idleRuleOf = (input: IdleRuleInput): IdleRule => ({ ...usualIdleRule, ...input });

interface PodRules {
  stopWhenIdle?: IdleRuleInput | null;
  maxLifetime?: MaxLifetimeInput | null;
}

/** Adds the usual limits where a rule has none. */
export function withPodRules<Body extends PodRules>({ stopWhenIdle, maxLifetime, ...body }: Body) {
  return {
    ...body,
    ...(maxLifetime !== undefined && { maxLifetime: maxLifetimeOf(maxLifetime) }),
    ...(stopWhenIdle !== undefined && { stopWhenIdle: stopWhenIdle && idleRuleOf(stopWhenIdle) }),
  };
}
