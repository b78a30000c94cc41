// The hardware of a Pod as text.

import type { Schema } from "../../api/client.ts";

type Of = Pick<Schema["Pod"], "gpu" | "gpuTypeId" | "gpuCount" | "vcpuCount">;

export function hardwareOf({ gpu, gpuTypeId, gpuCount, vcpuCount }: Of): string {
  if (!gpuTypeId) return `${vcpuCount} vCPU`;
  const name = `${gpu?.displayName ?? gpuTypeId}${gpu?.virtual ? " (virtual)" : ""}`;
  return `${gpuCount} × ${name}, ${vcpuCount} vCPU`;
}
