// The events for a machine: offline or online again, GPUs that cannot be used or can be used again, and MIG layouts put back. Pure.

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
    subject: trouble ?? "",
    resolved: trouble === null,
    summary:
      trouble === null
        ? `All GPUs of machine ${id} can be used again.`
        : `Not all GPUs of machine ${id} can be used: ${trouble.replace(/\.$/, "")}.`,
    resource: { type: "machine", id, name: "" },
    details: { trouble },
  });
}

/** `refusal` is null if the layout was put back. */
export function migLayoutRestored(
  id: string,
  at: number,
  { uuid, profiles, refusal }: { uuid: string; profiles: string; refusal: string | null },
): AccountEvent {
  const what = `The MIG devices ${profiles} of GPU ${uuid} of machine ${id}`;
  return accountEvent({
    type: "mig_layout_restored",
    at,
    subject: uuid,
    summary: refusal === null ? `${what} were put back.` : `${what} were not put back: ${refusal}.`,
    resource: { type: "machine", id, name: "" },
    details: { gpu: uuid, profiles, isRestored: refusal === null },
  });
}
