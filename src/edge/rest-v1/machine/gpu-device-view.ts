// The view of one GPU of a machine.

import type { GpuFault } from "../../../domain/gpu/gpu-health.ts";
import type { GpuTest } from "../../../domain/gpu/gpu-test.ts";
import type { GpuDevice } from "../../../flows/machine/gpu-devices.ts";

export function gpuDeviceRead(gpu: GpuDevice) {
  const { gpuTypeId, cordonReason, fault, quarantine, test, slice, ...device } = gpu;
  return {
    ...device,
    ...(gpuTypeId !== null && { gpuTypeId }),
    ...(cordonReason !== null && { cordonReason }),
    ...(fault && { fault: gpuFaultRead(fault) }),
    ...(quarantine && {
      quarantine: { ...quarantine, at: new Date(quarantine.at).toISOString() },
    }),
    ...(slice && { slice: { gpuUuid: slice.gpu, profile: slice.profile } }),
    ...(test && { test: gpuTestRead(test) }),
  };
}

export const gpuFaultRead = ({ index, ...fault }: GpuFault) => ({ number: index, ...fault });

function gpuTestRead({ requestedAt, result }: GpuTest) {
  const requested = { requestedAt: new Date(requestedAt).toISOString() };
  if (result === null) return { ...requested, outcome: "pending" as const };
  const { outcome, text, at } = result;
  return { ...requested, outcome, text, endedAt: new Date(at).toISOString() };
}
