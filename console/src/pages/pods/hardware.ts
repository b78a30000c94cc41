// The hardware of a Pod as text.

import type { Schema } from "../../api/client.ts";

type Of = Pick<Schema["Pod"], "gpu" | "gpuTypeId" | "gpuCount" | "vcpuCount">;

export function hardwareOf({ gpu, gpuTypeId, gpuCount, vcpuCount }: Of): string {
  if (!gpuTypeId) return `${vcpuCount} vCPU`;
  return `${gpuCount} × ${gpu?.displayName ?? gpuTypeId}, ${vcpuCount} vCPU`;
}
