// The event for a machine that stopped reporting, or reports again. Pure.

import { type AccountEvent, accountEvent } from "./event.ts";

export function machineOffline(id: string, at: number, resolved: boolean): AccountEvent {
  return accountEvent({
    type: "machine_offline",
    at,
    resolved,
    summary: resolved ? `Machine ${id} is online again.` : `Machine ${id} is offline.`,
    resource: { type: "machine", id, name: "" },
    details: {},
  });
}
