// The plan for an endpoint's workers: the roll-out first, then scaling of the remaining fleet.

import { type Drain, earliest, type Fleet } from "./fleet.ts";
import { decideRollOut, type RollOutPlan } from "./roll-out.ts";
import { decideScale, type ScaleFacts, type ScaleReason } from "./scaling.ts";

/**
 * The actions to take now. They change the fleet, so repeat the decision until the plan is empty;
 * then sleep until a notification or until `wakeAt`.
 */
export interface FleetPlan {
  /** Workers of the endpoint's current version to start. */
  start: number;
  drain: Drain[];
  reason: FleetReason;
  /** The earliest instant at which the decision may change without another event. */
  wakeAt: number | null;
}

export interface FleetReason {
  code: ScaleReason["code"] | RollOutPlan["code"];
  facts: ScaleFacts;
}

export function decideFleet(fleet: Fleet): FleetPlan {
  const rollOut = decideRollOut(fleet);
  const leaving = new Set(rollOut.drain.map(({ id }) => id));
  const workers = fleet.workers.map((worker) =>
    leaving.has(worker.id) ? { ...worker, state: "draining" as const } : worker,
  );
  const scale = decideScale({ ...fleet, workers });
  return {
    start: Math.max(scale.start, rollOut.startReplacements),
    drain: [...rollOut.drain, ...scale.drain],
    reason: { code: reasonCode(rollOut, scale), facts: scale.reason.facts },
    wakeAt: earliest(scale.wakeAt, rollOut.wakeAt),
  };
}

/** The roll-out's reason if it acts beyond scaling, or if scaling does nothing. */
function reasonCode(rollOut: RollOutPlan, scale: ReturnType<typeof decideScale>) {
  const quiet = scale.reason.code === "enough" || rollOut.startReplacements > scale.start;
  return quiet && rollOut.code !== "no_roll_out" ? rollOut.code : scale.reason.code;
}
