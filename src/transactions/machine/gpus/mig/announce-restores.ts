// Tells the operator that MIG layouts were put back, or what keeps them from it.

import type { GpuHealth } from "../../../../domain/gpu/health-record.ts";
import type { RestoreObstacle } from "../../../../domain/gpu/mig/mig-layout.ts";
import { summaryOf } from "../../../../domain/gpu/mig/mig-profiles.ts";
import { migLayoutRestored } from "../../../../domain/notification/machine-events.ts";
import type { Tx } from "../../../../store/engine/statement.ts";
import { raiseOperatorEvent } from "../../../notification/raise.ts";

interface Restore {
  uuid: string;
  /** The profiles that were set. */
  profiles: readonly string[];
}

export function* announceRestore(
  machine: string,
  { uuid, profiles }: Restore,
  now: number,
): Tx<void> {
  const devices = { uuid, profiles: summaryOf(profiles), refusal: null };
  yield* raiseOperatorEvent(migLayoutRestored(machine, now, devices));
}

/** Returns the record of the event; a second try that fails alike is no event. */
export function* announceObstacle(
  machine: string,
  before: GpuHealth,
  { uuid, profiles, obstacle, text }: Restore & { obstacle: RestoreObstacle; text: string },
  now: number,
): Tx<GpuHealth> {
  const { restoreObstacles = {} } = before;
  if (restoreObstacles[uuid] === obstacle) return before;
  const devices = { uuid, profiles: summaryOf(profiles), refusal: text };
  yield* raiseOperatorEvent(migLayoutRestored(machine, now, devices));
  return { ...before, restoreObstacles: { ...restoreObstacles, [uuid]: obstacle } };
}
