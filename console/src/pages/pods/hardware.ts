// The hardware of a Pod as text.

import type { Schema } from "../../api/client.ts";
import { useGpuName } from "./gpu-name.tsx";

type Pod = Schema["Pod"];

/** Describes the hardware of Pods, also of those that wait for a GPU. */
export function useHardware(): (pod: Pod) => string {
  const gpuName = useGpuName();
  return ({ gpu, gpuTypeId, gpuCount, vcpuCount }) => {
    if (gpuCount === 0 && !gpuTypeId) return `${vcpuCount} vCPU`;
    const name = gpuTypeId ? gpuName(gpuTypeId) : "any of several GPU types";
    return `${gpuCount} × ${name}${gpu?.virtual ? " (simulated)" : ""}, ${vcpuCount} vCPU`;
  };
}

/** Names what the list of Pods filters by: a GPU type, or "CPU". */
export function useHardwareKind(): (pod: Pod) => string {
  const gpuName = useGpuName();
  return ({ gpuTypeId, gpuCount }) => {
    if (gpuTypeId) return gpuName(gpuTypeId);
    return gpuCount === 0 ? "CPU" : "Several GPU types";
  };
}
