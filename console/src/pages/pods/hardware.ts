// The hardware of a Pod or an endpoint as text.

import type { Schema } from "../../api/client.ts";

/** "GeForce RTX 4090" is "RTX 4090", as in the catalog. */
export const shortGpuName = (gpuTypeId: string) => gpuTypeId.replace(/^NVIDIA (?:GeForce )?/, "");

type Of = Pick<Schema["Pod"], "gpu" | "gpuTypeId" | "gpuCount" | "vcpuCount">;

export function hardwareOf({ gpu, gpuTypeId, gpuCount, vcpuCount }: Of): string {
  if (gpuCount === 0 && !gpuTypeId) return `${vcpuCount} vCPU`;
  const name = `${gpu?.displayName ?? gpuTypeId ?? "any of several GPU types"}${gpu?.virtual ? " (virtual)" : ""}`;
  return `${gpuCount} × ${name}, ${vcpuCount} vCPU`;
}
