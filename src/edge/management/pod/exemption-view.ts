// The exemption of a Pod from stops, as clients read it.

import type { Pod } from "../../../contract/rest-v1/pod/pod.ts";
import type { Exemption } from "../../../domain/usage/exemption.ts";
import { instant } from "../serve/instant.ts";

const names = {
  pod: "podId",
  member: "memberId",
  project: "projectId",
  label: "label",
} as const;

/** What it is about, under its own name. */
export const exemptionTarget = ({ kind, target }: Exemption) =>
  ({ [names[kind]]: target }) as { [Name in (typeof names)[keyof typeof names]]?: string };

export function exemptionOfPod(exemption: Exemption | null): Pick<Pod, "exemption"> {
  if (exemption === null) return {};
  const { id, until, reason, byOperator } = exemption;
  return {
    exemption: {
      id,
      ...exemptionTarget(exemption),
      ...(until !== null && { until: instant(until) }),
      reason,
      byOperator,
    },
  };
}
