// Rules for idle Pods, completed by the usual limits.

import type { IdleRuleInput } from "../../../contract/idle-rule.ts";
import { type IdleRule, usualIdleRule } from "../../../domain/usage/idle.ts";

export const idleRuleOf = (input: IdleRuleInput): IdleRule => ({ ...usualIdleRule, ...input });

/** With the usual limits where the rule has none. */
export function withIdleRule<Body extends { stopWhenIdle?: IdleRuleInput | null }>({
  stopWhenIdle,
  ...body
}: Body) {
  return {
    ...body,
    ...(stopWhenIdle !== undefined && { stopWhenIdle: stopWhenIdle && idleRuleOf(stopWhenIdle) }),
  };
}
