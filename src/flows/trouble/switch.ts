// Lists troubles and switches them on and off, for the operator of a service that allows them.

import type { Clock } from "../../base/clock.ts";
import { parseDuration } from "../../domain/duration.ts";
import { Fault } from "../../domain/fault.ts";
import { isTrouble, type TroubleName, troubleNames } from "../../domain/trouble/catalog.ts";
import type { Store } from "../../store/engine/store.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { switchTrouble } from "../../transactions/trouble/switch-trouble.ts";
import { throwRefusal } from "../throw-refusal.ts";
import type { TroubleState, Troubles } from "./troubles.ts";

export interface TroubleDeps {
  store: Store;
  clock: Clock;
  /** Null if this service allows none. */
  troubles: Troubles | null;
}

export interface TroubleRequest {
  name: string;
  for?: string;
  rate?: number;
  match?: string;
}

export async function listTroubles(deps: TroubleDeps, by: string): Promise<TroubleState[]> {
  return (await allowedTroubles(deps, by)).list();
}

export async function turnOn(
  deps: TroubleDeps,
  by: string,
  request: TroubleRequest,
): Promise<TroubleState> {
  const troubles = await allowedTroubles(deps, by);
  const name = troubleNamed(request.name);
  requireSystemClock(deps.clock, name);
  const now = deps.clock.now();
  const until = request.for === undefined ? null : now + spanOf(request.for);
  const { rate = 1, match = null } = request;
  await deps.store.write(switchTrouble, by, name, { rate, match, since: now, until });
  await troubles.refresh();
  return troubles.stateOf(name);
}

export async function turnOff(deps: TroubleDeps, by: string, name: string): Promise<void> {
  const troubles = await allowedTroubles(deps, by);
  await deps.store.write(switchTrouble, by, troubleNamed(name), null);
  await troubles.refresh();
}

export function troubleNamed(name: string): TroubleName {
  if (isTrouble(name)) return name;
  throw new Fault("unknown_fault", { name: name.slice(0, 80), names: troubleNames.join(", ") });
}

/** Between two instants of a virtual clock there are no heartbeats, so no machine is lost. */
function requireSystemClock(clock: Clock, name: TroubleName): void {
  if (name !== "machine-lost" || clock.routine === undefined) return;
  const detail = "machine-lost needs the system's clock: no machine is lost under a virtual one.";
  throw new Fault("invalid_body", { detail });
}

async function allowedTroubles({ store, troubles }: TroubleDeps, by: string): Promise<Troubles> {
  await throwRefusal(store.read(requireOperator, by));
  if (!troubles || troubles.isForbidden) throw new Fault("faults_not_allowed");
  return troubles;
}

function spanOf(text: string): number {
  const span = parseDuration(text);
  if (span) return span;
  const detail = `"for" is "${text.slice(0, 40)}"; it takes a duration: 90s, 5m, 2h or 1h30m.`;
  throw new Fault("invalid_body", { detail });
}
