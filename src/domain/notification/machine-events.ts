// The events for a machine: offline or online again, and GPUs that cannot be used or can be used again. Pure.

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

/** `trouble` is null once all can be used. */
export function gpuUnhealthy(id: string, at: number, trouble: string | null): AccountEvent {
  return accountEvent({
    type: "gpu_unhealthy",
    at,
    resolved: trouble === null,
    summary:
      trouble === null
        ? `All GPUs of machine ${id} can be used again.`
        : `Not all GPUs of machine ${id} can be used: ${trouble.replace(/\.$/, "")}.`,
    resource: { type: "machine", id, name: "" },
    details: { trouble },
  });
}
