// Reads the service's clock, and moves a virtual one forward.

import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/units.ts";
import { parseDuration } from "../../domain/duration.ts";
import { Fault } from "../../domain/fault.ts";
import type { Store } from "../../store/engine/store.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface ClockDeps {
  store: Store;
  clock: Clock;
  /** Null if the service follows the system's clock. */
  virtualTime: VirtualTime | null;
}

/** Either a duration, or the instant itself. */
export interface ClockMove {
  advance?: string;
  to?: string;
  silent: boolean;
}

/** The farthest move, about 100 years: dates have four digits. */
const MAX_MOVE_MS = 36_525 * DAY_MS;

export async function moveClock(deps: ClockDeps, by: string, move: ClockMove): Promise<void> {
  const { store, clock, virtualTime } = deps;
  await throwRefusal(store.read(requireOperator, by));
  if (!virtualTime) throw new Fault("clock_not_virtual");
  if (virtualTime.isFixed) throw new Fault("clock_fixed");
  await virtualTime.moveTo(targetOf(move, clock.now()), move.silent);
}

function targetOf({ advance, to }: ClockMove, now: number): number {
  if ((advance === undefined) === (to === undefined)) {
    throw invalid('Set either "advance" to a duration such as "7d", or "to" to an instant.');
  }
  const target = to === undefined ? now + spanOf(advance!) : Date.parse(to);
  if (target < now) {
    const facts = { now: new Date(now).toISOString(), to: new Date(target).toISOString() };
    throw new Fault("clock_backward", facts);
  }
  if (target > now + MAX_MOVE_MS)
    throw invalid("A clock can be moved by at most 100 years at once.");
  return target;
}

function spanOf(text: string): number {
  const span = parseDuration(text);
  if (span !== null) return span;
  const shown = text.slice(0, 40);
  throw invalid(
    `"advance" is "${shown}"; it takes a duration: 90s, 15m, 36h, 7d, 2w or 1h30m; time moves only forward.`,
  );
}

const invalid = (detail: string) => new Fault("invalid_body", { detail });
