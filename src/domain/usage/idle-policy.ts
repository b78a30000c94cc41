// Which rule for idle Pods holds for a Pod: its own, or its project's. Pure.

import type { IdleRule } from "./idle.ts";

/** What a Pod says itself: a rule, or that it is never stopped for being idle. */
export type OwnIdleRule = IdleRule | "never";

export interface ProjectIdleRule extends IdleRule {
  /** Whether a Pod may say "never", or have a rule that stops it later. */
  mayOptOut: boolean;
}

export interface ProjectIdle {
  /** The project's name. */
  project: string;
  rule: IdleRule;
  mayOptOut: boolean;
}

/** As it is stored; one that was stored before the switch lets Pods opt out. */
export const readProjectIdleRule = (text: string): ProjectIdleRule => ({
  mayOptOut: true,
  ...(JSON.parse(text) as IdleRule),
});

/** The rule that holds for a Pod. */
export interface IdlePolicy {
  rule: IdleRule;
  /** The name of the project that it comes from; null if it is the Pod's own. */
  project: string | null;
}

/** What decides which rule holds. */
export interface IdleSources {
  cluster: object | null;
  desired: { stopWhenIdle: OwnIdleRule | null; spec: { sandbox: boolean } };
  projectIdle: ProjectIdle | null;
}

/**
 * The rule that holds, or null if none does. The Pod's own goes before its project's, unless the project says that none opts
 * out. Members of clusters and sandboxes follow no project's.
 */
export function idlePolicyOf({ cluster, desired, projectIdle }: IdleSources): IdlePolicy | null {
  const { stopWhenIdle, spec } = desired;
  const shared = cluster || spec.sandbox ? null : projectIdle;
  if (stopWhenIdle && (shared === null || mayReplace(shared, stopWhenIdle)))
    return stopWhenIdle === "never" ? null : { rule: stopWhenIdle, project: null };
  return shared && { rule: shared.rule, project: shared.project };
}

/** Whether a Pod's own rule goes before its project's: where none opts out, only one that stops it no later. */
export function mayReplace({ rule, mayOptOut }: Omit<ProjectIdle, "project">, own: OwnIdleRule) {
  if (mayOptOut) return true;
  if (own === "never" || own.minutes > rule.minutes) return false;
  const limits = ["gpuPercent", "cpuPercent", "networkBytesPerSecond"] as const;
  return limits.every((limit) => own[limit] >= rule[limit]);
}

/** ", by the rule of its project "vision"" */
export const policyText = ({ project }: IdlePolicy): string =>
  project === null ? "" : `, by the rule of its project "${project}"`;

export function requiredRuleText(project: string, rule: IdleRule): string {
  const { minutes, gpuPercent, cpuPercent, networkBytesPerSecond } = rule;
  const limits = `${gpuPercent} gpuPercent, ${cpuPercent} cpuPercent and ${networkBytesPerSecond} networkBytesPerSecond`;
  return (
    `The project "${project}" lets no Pod opt out of its rule for idle Pods. Leave "stopWhenIdle" out, or set one that stops ` +
    `the Pod no later: minutes of at most ${minutes}, and limits of at least ${limits}.`
  );
}
