// Adds what Pods held and did not use, for the project that each Pod's owner is in now.

import type { GpuTime } from "../../domain/usage/gpu-time.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addGpuTime } from "../../store/idle-gpu/idle-gpu.ts";
import { findProjectOf } from "../../store/project/project.ts";

export function* addGpuTimes(times: readonly GpuTime[]): Tx<void> {
  const projects = new Map<string, string | null>();
  for (const { ownerId } of times) {
    if (ownerId === null || projects.has(ownerId)) continue;
    projects.set(ownerId, (yield* findProjectOf(ownerId))?.id ?? null);
  }
  for (const time of times) {
    yield* addGpuTime(time, time.ownerId === null ? null : projects.get(time.ownerId)!);
  }
}
