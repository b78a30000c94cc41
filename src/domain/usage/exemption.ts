// Exemptions: Pods that are not stopped for being idle or at their maximum lifetime. Pure.

import { type Labels, labelOf } from "../label/labels.ts";
import type { MemberName } from "../member/member.ts";

export type ExemptKind = "pod" | "member" | "project" | "label";

export interface Exemption {
  id: string;
  kind: ExemptKind;
  /** The id of the Pod, member or project, or a label as name=value. */
  target: string;
  /** When it ends; null for never. */
  until: number | null;
  reason: string;
  /** Whether the operator's account made it, so that the operator's own maximum does not hold either. */
  byOperator: boolean;
  createdAt: number;
  /** The member that made it; null if a key of the account did. */
  createdBy: MemberName | null;
}

/** What exemptions name of a Pod. */
export interface ExemptSubject {
  id: string;
  ownerId: string | null;
  projectId: string | null;
  labels: Labels;
}

/** The exemption that holds for a Pod: the operator's first, then the one that lasts longest. Null if none does. */
export function exemptionOf(all: readonly Exemption[], subject: ExemptSubject): Exemption | null {
  const matching = all.filter((exemption) => isAbout(exemption, subject));
  return matching.reduce<Exemption | null>(
    (best, each) => (best === null || isStronger(each, best) ? each : best),
    null,
  );
}

function isAbout({ kind, target }: Exemption, subject: ExemptSubject): boolean {
  const { id, ownerId, projectId, labels } = subject;
  if (kind === "label") {
    const at = target.indexOf("=");
    return labelOf(labels, target.slice(0, at)) === target.slice(at + 1);
  }
  return { pod: id, member: ownerId, project: projectId }[kind] === target;
}

function isStronger(one: Exemption, other: Exemption): boolean {
  if (one.byOperator !== other.byOperator) return one.byOperator;
  return (one.until ?? Number.POSITIVE_INFINITY) > (other.until ?? Number.POSITIVE_INFINITY);
}

/** The exemptions that have not ended by now. */
export const lasting = (all: readonly Exemption[], now: number): Exemption[] =>
  all.filter(({ until }) => until === null || until > now);

const causes = { pod: "", member: " as its owner is", project: " as its project is" };

/** "is exempt from stops for being idle and from maximum lifetimes, by its label team=search, until 2027-01-31T18:00:00.000Z: training" */
export function exemptionText({ kind, target, until, reason, byOperator }: Exemption): string {
  const cause = kind === "label" ? `, by its label ${target},` : causes[kind];
  const maximums = byOperator ? "maximum lifetimes" : "maximum lifetimes but the operator's";
  const end = until === null ? "" : ` until ${new Date(until).toISOString()}`;
  return `is exempt from stops for being idle and from ${maximums}${cause}${end}: ${reason.replace(/\.$/, "")}`;
}
