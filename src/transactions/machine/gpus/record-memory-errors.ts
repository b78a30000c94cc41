// Records the counters of a machine's memory errors. A GPU whose counter rises is put in quarantine.

import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import type { Quarantine } from "../../../domain/gpu/health-record.ts";
import { applyMemoryErrors, type MemoryErrors } from "../../../domain/gpu/memory-errors.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../store/replica/inventory.ts";
import { announceQuarantine } from "./quarantine.ts";

/** Returns the quarantines that began, by UUID; null for a machine that no replica has entered yet. */
export function* recordMemoryErrors(
  machine: string,
  read: Readonly<Record<string, MemoryErrors>>,
  { at, limits }: { at: number; limits: GpuLimits },
): Tx<[uuid: string, Quarantine][] | null> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return null;
  const { health, quarantined } = applyMemoryErrors(before, read, { at, limit: limits.eccErrors });
  if (JSON.stringify(health) === JSON.stringify(before)) return [];
  yield* setGpuHealth(machine, health);
  const inventory = (yield* recordedInventory(machine)) ?? {};
  for (const each of quarantined)
    yield* announceQuarantine(machine, inventory, each, { now: at, limits });
  return quarantined;
}
