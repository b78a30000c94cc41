// The event for a machine on which GPUs cannot be used, or can be used again. Pure.

import { type AccountEvent, accountEvent } from "./event.ts";

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
