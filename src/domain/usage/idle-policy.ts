// Which rule for idle Pods holds for a Pod: its own, or its project's. Pure.

import type { Exemption } from "./exemption.ts";
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

/** A project's rule as it is stored; one that was stored before the switch lets Pods opt out. */
export const readProjectIdleRule = (text: string): ProjectIdleRule => ({
  mayOptOut: true,
  ...(JSON.parse(text) as IdleRule),
});

/** The rule that holds for a Pod. */
export interface IdlePolicy {
  rule: IdleRule;
  from: "pod" | "template" | "project";
  /** The name of the project that it comes from; null if it does not. */
  project: string | null;
}

/** What decides which rule holds. */
export interface IdleSources {
  cluster: object | null;
  desired: {
    stopWhenIdle: OwnIdleRule | null;
    spec: { sandbox: boolean; templateIdle?: IdleRule | null };
  };
  projectIdle: ProjectIdle | null;
  exemption: Exemption | null;
}

/**
 * The rule that holds, or null if none does. The Pod's own goes before its template's, and that before its project's, unless the
 * project says that none opts out. Members of clusters and sandboxes follow neither.
 */
export function idlePolicyOf(sources: IdleSources): IdlePolicy | null {
  const { cluster, desired, projectIdle, exemption } = sources;
  if (exemption !== null) return null;
  const { stopWhenIdle, spec } = desired;
  const isAlone = cluster !== null || spec.sandbox;
  const shared = isAlone ? null : projectIdle;
  const mayHold = (own: OwnIdleRule) => shared === null || mayReplace(shared, own);
  if (stopWhenIdle && mayHold(stopWhenIdle))
    return stopWhenIdle === "never" ? null : { rule: stopWhenIdle, from: "pod", project: null };
  // Pods of earlier versions have none.
  const templateIdle = isAlone ? null : (spec.templateIdle ?? null);
  if (templateIdle && mayHold(templateIdle))
    return { rule: templateIdle, from: "template", project: null };
  return shared && { rule: shared.rule, from: "project", project: shared.project };
}

/** Whether a Pod's own rule goes before its project's: where none opts out, only one that stops it no later. */
export function mayReplace({ rule, mayOptOut }: Omit<ProjectIdle, "project">, own: OwnIdleRule) {
  if (mayOptOut) return true;
  if (own === "never" || own.minutes > rule.minutes) return false;
  const limits = ["gpuPercent", "cpuPercent", "networkBytesPerSecond"] as const;
  return limits.every((limit) => own[limit] >= rule[limit]);
}

/** ", by the rule of its project "vision"" */
export function policyText({ from, project }: IdlePolicy): string {
  if (from === "pod") return "";
  return from === "template"
    ? ", by the rule of its template"
    : `, by the rule of its project "${project}"`;
}

export function requiredRuleText(project: string, rule: IdleRule): string {
  const { minutes, gpuPercent, cpuPercent, networkBytesPerSecond } = rule;
  const limits = `${gpuPercent} gpuPercent, ${cpuPercent} cpuPercent and ${networkBytesPerSecond} networkBytesPerSecond`;
  return (
    `The project "${project}" lets no Pod opt out of its rule for idle Pods. Leave "stopWhenIdle" out, or set one that stops ` +
    `the Pod no later: minutes of at most ${minutes}, and limits of at least ${limits}.`
  );
}
