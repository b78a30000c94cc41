// What a test or a change of the MIG layout of a GPU waits for. Pure.

import {
  isWaitingChange,
  type MigChange,
  type MigChanges,
  requestedChanges,
} from "./mig-layout.ts";

const OFFLINE = "it waits for the machine, which is offline";

export const testWaitText = (isOnline: boolean): string =>
  isOnline ? "it runs, or waits for another test" : OFFLINE;

/** Changes of one machine are made one after another. */
export function changeWaitText(
  uuid: string,
  change: MigChange,
  { health, isOnline }: { health: MigChanges; isOnline: boolean },
): string {
  if (change.result !== null) {
    const text = "it was made, and the GPU is offered once it was read again";
    return isOnline ? text : `${text}; ${OFFLINE}`;
  }
  if (!isOnline) return isWaitingChange(change) ? OFFLINE : `it was interrupted; ${OFFLINE}`;
  if (!isWaitingChange(change)) return "the driver makes it";
  const [first] = requestedChanges(health);
  return first && first[0] !== uuid ? `it waits for that of ${first[0]}` : "it begins in a moment";
}
