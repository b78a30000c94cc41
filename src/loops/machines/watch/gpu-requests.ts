// A loop that carries out what was requested of a machine's GPUs, beside its passes: a request takes seconds to minutes.

import { Deadline, systemClock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { DriverUnavailable } from "../../../drivers/driver.ts";
import { Busy } from "../../engine/busy-workloads.ts";
import type { Loop } from "../../engine/loop.ts";

const PERIOD_MS = 60_000;
const REST_MS = 200;

interface GpuRequestsDeps {
  log: Logger;
  machine: string;
  /** What the machine offers, which other loops read. */
  inventory: Inventory;
}

interface GpuRequests {
  name: string;
  topic: string;
  /** How long a stop of the service waits for what is in progress. */
  stopMs: number;
  /** Carries out all that is requested, one after another. A machine that is not reached is asked again with a later pass. */
  carryOut(): Promise<void>;
  /** Ends what is in progress and was cancelled. */
  endCancelled?(): Promise<void>;
  /** Called when the service stops, before it waits. */
  interrupt(): void;
}

export function gpuRequestsLoop(
  { log, machine, inventory }: GpuRequestsDeps,
  { name, topic, stopMs, carryOut, endCancelled, interrupt }: GpuRequests,
): Loop {
  const busy = new Busy(log, () => {});
  /** What is requested while others are carried out may come too late for their last look. */
  let isRequestedMeanwhile = false;
  let isStopped = false;
  const carryOutAll = async () => {
    do {
      isRequestedMeanwhile = false;
      await carryOut().catch(unlessUnreachable);
    } while (isRequestedMeanwhile && !isStopped);
  };
  return {
    name,
    shared: false,
    periodMs: PERIOD_MS,
    restMs: REST_MS,
    topics: [topic],
    async run() {
      if (inventory.gpuNumbers !== undefined) {
        if (busy.doing(machine) !== undefined) isRequestedMeanwhile = true;
        else busy.run(machine, carryOutAll);
      }
      await endCancelled?.();
      return null;
    },
    async finish() {
      isStopped = true;
      interrupt();
      await busy.end(new Deadline(systemClock, stopMs));
    },
  };
}

function unlessUnreachable(error: unknown): void {
  if (!(error instanceof DriverUnavailable)) throw error;
}
