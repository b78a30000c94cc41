// Switches troubles on and off for all replicas: each is a setting that its replicas read again when they are notified.

import { isTrouble, type TroubleName } from "../../domain/trouble/catalog.ts";
import type { ActiveTrouble } from "../../domain/trouble/strike.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { deleteSetting, saveSetting, settingsBelow } from "../../store/setting/setting.ts";

const PREFIX = "fault:";

export type ActiveTroubles = ReadonlyMap<TroubleName, ActiveTrouble>;

/** `active` is null to switch it off. */
export function* switchTrouble(
  by: string,
  name: TroubleName,
  active: ActiveTrouble | null,
): Tx<void> {
  if (active) yield* saveSetting(PREFIX + name, JSON.stringify(active));
  else yield* deleteSetting(PREFIX + name);
  yield* notify(topic.troubles);
  yield* notify(topic.changed(by, "fault", name));
}

export function* endTroubles(): Tx<void> {
  for (const { name } of yield* settingsBelow(PREFIX)) yield* deleteSetting(name);
  yield* notify(topic.troubles);
}

/** Faults that are on or whose time is over. A replica of another version may know others. */
export function* activeTroubles(): Tx<ActiveTroubles> {
  const active = new Map<TroubleName, ActiveTrouble>();
  for (const { name, value } of yield* settingsBelow(PREFIX)) {
    const trouble = name.slice(PREFIX.length);
    if (isTrouble(trouble)) active.set(trouble, JSON.parse(value));
  }
  return active;
}
