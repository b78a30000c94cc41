// A GPU of a machine as REST shows it.

import type { GpuFault } from "../../../domain/gpu/gpu-health.ts";
import { isWaitingChange } from "../../../domain/gpu/mig/mig-layout.ts";
import type { GpuDevice } from "../../../flows/machine/gpu-devices.ts";
import { instant } from "../../management/serve/instant.ts";

export function gpuDeviceRead(gpu: GpuDevice) {
  const {
    gpuTypeId,
    cordonReason,
    fault,
    quarantine,
    test,
    migChange,
    migProfiles,
    slice,
    shares,
    errors,
    ...device
  } = gpu;
  return {
    ...device,
    ...(errors.length > 0 && { errors: errors.map(gpuErrorsRead) }),
    ...(gpuTypeId !== null && { gpuTypeId }),
    ...(cordonReason !== null && { cordonReason }),
    ...(fault && { fault: gpuFaultRead(fault) }),
    ...(quarantine && {
      quarantine: { ...quarantine, at: instant(quarantine.at) },
    }),
    ...(slice && { slice: { gpuUuid: slice.gpu, profile: slice.profile } }),
    ...(shares && { shares }),
    ...(migProfiles && { migProfiles }),
    ...(test && { test: gpuTestRead(test) }),
    ...(migChange && { migChange: migChangeRead(migChange) }),
  };
}

function gpuErrorsRead({ workload, lastAt, ...rest }: GpuDevice["errors"][number]) {
  return { ...rest, ...(workload !== null && { workload }), lastAt: instant(lastAt) };
}

export const gpuFaultRead = ({ index, ...fault }: GpuFault) => ({ number: index, ...fault });

function gpuTestRead({ requestedAt, result, waitText }: NonNullable<GpuDevice["test"]>) {
  const requested = { requestedAt: instant(requestedAt) };
  if (result === null)
    return { ...requested, ...pending, text: waitText ?? "", canBeCancelled: true as const };
  const { outcome, text, at } = result;
  return { ...requested, outcome, text, endedAt: instant(at) };
}

const pending = { outcome: "pending" as const };

function migChangeRead(change: NonNullable<GpuDevice["migChange"]>) {
  const { requestedAt, profiles, result, isRead, waitText } = change;
  const requested = { requestedAt: instant(requestedAt), profiles: profiles && [...profiles] };
  if (result === null || !isRead) {
    return {
      ...requested,
      ...pending,
      text: waitText ?? "",
      ...(isWaitingChange(change) && { canBeCancelled: true as const }),
    };
  }
  const { outcome, text, at } = result;
  return { ...requested, outcome, text, endedAt: instant(at) };
}
