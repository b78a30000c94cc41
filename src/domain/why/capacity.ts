// The reasons of an endpoint whose next worker finds no room: other endpoints come first, or the machines are full.

import { counted } from "../../base/text/counted.ts";
import type { DominantResource } from "../placement/fair-share.ts";
import type { QueueFacts, Rule, TurnFacts } from "./facts.ts";

export const fairShare: Rule = ({ plan, passedOver, turn }) => {
  if (plan.start === 0 || passedOver === null || !turn) return null;
  const { share, ownAhead, othersAhead } = turn;
  if (share === null || ownAhead.length + othersAhead === 0) return null;
  return {
    code: "fair_share",
    sentence:
      `no machine can run another worker now; the account uses ${heldText(share)}, ` +
      `and ${aheadText(turn)} first when a place becomes free.`,
    next:
      othersAhead > 0
        ? "Wait: free places go to the account with the smallest share. Or add a machine."
        : "Wait, lower the workersMax of the endpoints that come first, or add a machine.",
    evidence: { share: { ...share, endpointsAhead: ownAhead, othersAhead } },
  };
};

export function heldText({ resource, held, total }: DominantResource): string {
  if (resource === "gpus") return `${held} of ${counted(total, "GPU")}`;
  if (resource === "vcpus") return `${held} of ${counted(total, "vCPU")}`;
  const gb = (memoryMb: number) => Math.round(memoryMb / 102.4) / 10;
  return `${gb(held)} of ${gb(total)} GB of memory`;
}

/** Ends with its verb. */
function aheadText({ ownAhead, othersAhead }: TurnFacts): string {
  const others = `${counted(othersAhead, "endpoint")} of accounts that use no more`;
  const parts = [
    ...(othersAhead > 0 ? [others] : []),
    ...(ownAhead.length > 0 ? [ownText(ownAhead)] : []),
  ];
  return `${parts.join(" and ")} ${ownAhead.length + othersAhead === 1 ? "comes" : "come"}`;
}

const MOST_NAMED = 3;

function ownText(ids: readonly string[]): string {
  if (ids.length === 1) return `endpoint ${ids[0]} of the account, with a longer wait,`;
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : "";
  return `endpoints ${ids.slice(0, MOST_NAMED).join(", ")}${more} of the account, with longer waits,`;
}

const MOST_REASONS = 3;

export const noCapacity: Rule = ({ plan, passedOver }: QueueFacts) => {
  if (plan.start === 0 || passedOver === null) return null;
  const some = passedOver.slice(0, MOST_REASONS);
  const reasons = some.map(({ machine, reason }) => `${machine}: ${reason}`).join("; ");
  const more = passedOver.length - some.length;
  const rest = more > 0 ? `, and ${more} more` : "";
  const machines = passedOver.length === 0 ? "there are no machines" : `${reasons}${rest}`;
  return {
    code: "no_capacity",
    sentence: `no machine can run another worker now (${machines}).`,
    next: "Wait, stop other workloads, allow the endpoint other GPU types, or add a machine.",
  };
};
