// What the next reading of a machine's GPUs is to do beside reading them.

import { unreadChanges } from "../../../domain/gpu/mig/mig-layout.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { gpuHealthOf } from "../../../store/replica/gpu-health.ts";

export interface ReadingRequests {
  /** The UUIDs of the GPUs whose MIG layout changed since they were read. */
  changedGpus: readonly string[];
  /** The UUIDs of the GPUs whose links of before no longer count. */
  forgottenLinks: readonly string[];
  /** The UUIDs of the GPUs that are to have the MIG layout that was set. */
  dividedGpus: readonly string[];
}

export function* readingRequests(machine: string): Tx<ReadingRequests> {
  const health = (yield* gpuHealthOf(machine)) ?? {};
  const { forgottenLinks = [], migLayouts = {} } = health;
  const dividedGpus = Object.keys(migLayouts);
  return { changedGpus: unreadChanges(health), forgottenLinks, dividedGpus };
}
