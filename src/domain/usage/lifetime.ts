// For how long a Pod may run after its start: whose maximum holds, and when it warns and stops. Pure.

import { MINUTE_MS } from "../../base/units.ts";
import { durationText } from "../duration.ts";
import type { Exemption } from "./exemption.ts";

export interface MaxLifetime {
  minutes: number;
  /** Whether a person may keep the Pod for longer. */
  extendable: boolean;
}

/** The maximums that hold for a Pod beside its own. */
export interface SharedLifetimes {
  project: (MaxLifetime & { name: string }) | null;
  /** Set by the operator. */
  account: MaxLifetime | null;
}

/** A warning that was given. */
export interface LifetimeWarning {
  /** The end that it is about; a warning about another end counts no more. */
  endsAt: number;
  /** When the Pod stops, which is later than its end if that was past when its owner was warned. */
  stopsAt: number;
  at: number;
  level: number;
}

/** What decides how long a Pod runs. */
export interface LifetimeSources {
  cluster: object | null;
  desired: {
    maxLifetime: MaxLifetime | null;
    /** Since when it has run without a stop; a restart does not change it. Null unless it is desired to run. */
    runningSince: number | null;
    /** A client keeps it until then, as far as its maximum can be extended. */
    keptUntil: number | null;
    spec: { sandbox: boolean; templateLifetime?: MaxLifetime | null };
  };
  exemption: Exemption | null;
  sharedLifetimes: SharedLifetimes;
  lifetimeWarning: LifetimeWarning | null;
}

export interface LifetimePolicy extends MaxLifetime {
  from: "pod" | "template" | "project" | "account";
  /** The name of the project that it comes from; null if it does not. */
  project: string | null;
}

/** How long before the stop its owner is warned; a maximum of less time gives the shorter warning alone. */
const WARNINGS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** From the first warning to the stop, however late the warning is. */
const NOTICE_MS = WARNINGS_MS[0];
/** From this time before its end on, a Pod is looked at. */
export const WARNED_BEFORE_MS = WARNINGS_MS[1];

/** Sandboxes have limits of their own. Members of clusters have only what is set for all, and are not kept one by one. */
function policiesOf(pod: LifetimeSources): LifetimePolicy[] {
  const { cluster, desired, exemption, sharedLifetimes } = pod;
  const { maxLifetime, spec } = desired;
  const { project, account } = sharedLifetimes;
  if (spec.sandbox || exemption?.byOperator) return [];
  if (exemption) return ofAll(cluster, policyFrom("account", account));
  const shared = [
    policyFrom("account", account),
    policyFrom("project", project, project?.name),
  ].flat();
  if (cluster !== null) return ofAll(cluster, shared);
  // Pods of earlier versions have no templateLifetime.
  const { templateLifetime = null } = spec;
  return [shared, policyFrom("template", templateLifetime), policyFrom("pod", maxLifetime)].flat();
}

/** Members of clusters are not kept one by one. */
const ofAll = (cluster: object | null, policies: LifetimePolicy[]): LifetimePolicy[] =>
  cluster === null ? policies : policies.map((policy) => ({ ...policy, extendable: false }));

function policyFrom(
  from: LifetimePolicy["from"],
  rule: MaxLifetime | null,
  project: string | null = null,
): LifetimePolicy[] {
  if (rule === null) return [];
  return [{ minutes: rule.minutes, extendable: rule.extendable, from, project }];
}

/** The policy that ends the Pod first, and when it does: null while the Pod does not run. */
export interface Lifetime {
  policy: LifetimePolicy;
  endsAt: number | null;
}

/** Null if nothing limits it. */
export function lifetimeOf(pod: LifetimeSources): Lifetime | null {
  const { runningSince, keptUntil } = pod.desired;
  const lifetimes = policiesOf(pod).map((policy) => ({
    policy,
    endsAt: runningSince === null ? null : endOf(policy, runningSince, keptUntil ?? 0),
  }));
  const rank = ({ policy, endsAt }: Lifetime) => endsAt ?? policy.minutes;
  return lifetimes.reduce<Lifetime | null>(
    (first, each) => (first === null || rank(each) < rank(first) ? each : first),
    null,
  );
}

function endOf({ minutes, extendable }: MaxLifetime, since: number, keptUntil: number): number {
  const endsAt = since + minutes * MINUTE_MS;
  return extendable ? Math.max(endsAt, keptUntil) : endsAt;
}

/** The warning that was given about this end; after the clock was set back by more than the notice none was given yet. */
function warningOf(
  { lifetimeWarning: warning }: LifetimeSources,
  endsAt: number,
  now: number,
): LifetimeWarning | null {
  return warning?.endsAt === endsAt && warning.at <= now + NOTICE_MS ? warning : null;
}

/** Whether its warning is about an end that does not hold any more, and would not be new if that end came back. */
export function isWarningVoid(pod: LifetimeSources): boolean {
  const { lifetimeWarning: warning } = pod;
  return warning !== null && warning.endsAt !== (lifetimeOf(pod)?.endsAt ?? null);
}

/** When the Pod stops; null if nothing limits it or it does not run. */
export function lifetimeStopAt(pod: LifetimeSources): number | null {
  const endsAt = lifetimeOf(pod)?.endsAt ?? null;
  const { lifetimeWarning: warning } = pod;
  return warning !== null && warning.endsAt === endsAt ? warning.stopsAt : endsAt;
}

export type LifetimeStep =
  | { do: "stop"; policy: LifetimePolicy; ranMs: number }
  | { do: "warn"; policy: LifetimePolicy; warning: LifetimeWarning }
  | { do: "wait"; until: number };

/** What is due for a Pod. It never stops without a warning five minutes before. Null if nothing limits it. */
export function lifetimeStep(pod: LifetimeSources, now: number): LifetimeStep | null {
  const lifetime = lifetimeOf(pod);
  const since = pod.desired.runningSince;
  if (lifetime === null || lifetime.endsAt === null || since === null) return null;
  const { policy, endsAt } = lifetime;
  const last = warningOf(pod, endsAt, now);
  const stopsAt = last?.stopsAt ?? Math.max(endsAt, now + NOTICE_MS);
  if (last && stopsAt <= now) return { do: "stop", policy, ranMs: now - since };
  const levels = WARNINGS_MS.filter(
    (level) => level < policy.minutes * MINUTE_MS && level < (last?.level ?? Infinity),
  );
  const level = levels.find((each) => stopsAt - now <= each);
  if (level !== undefined)
    return { do: "warn", policy, warning: { endsAt, stopsAt, at: now, level } };
  const next = levels.at(-1);
  return { do: "wait", until: next === undefined ? stopsAt : stopsAt - next };
}

/** ", by the maximum of its project "vision"" */
export function lifetimeSource({ from, project }: LifetimePolicy): string {
  return {
    pod: "",
    template: ", by the maximum of its template",
    project: `, by the maximum of its project "${project}"`,
    account: ", by the operator's maximum for the account",
  }[from];
}

/** "at its maximum lifetime of 8 h, by the maximum of its project "vision", after 8 h 10 min" */
export function lifetimeText(policy: LifetimePolicy, ranMs: number): string {
  const [span, ran] = [lifetimeSpan(policy), durationText(ranMs)];
  const after = ran === span ? "" : `, after ${ran}`;
  return `at its maximum lifetime of ${span}${lifetimeSource(policy)}${after}`;
}

export const lifetimeSpan = ({ minutes }: MaxLifetime) => durationText(minutes * MINUTE_MS);
