// Returns GPUs from quarantine whose cool-down is over, and records the clean readings of the others.

import type { GpuLimits, ReadGpu } from "../../../domain/gpu/checks.ts";
import { decideReturns } from "../../../domain/gpu/return-gpus.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { returnGpus } from "./quarantine.ts";

interface Reading {
  gpus: readonly ReadGpu[];
  faulty: ReadonlySet<string>;
}

/** The UUIDs of the GPUs that were returned, and whether another reading may return one. */
export function* returnCleanGpus(
  machine: string,
  reading: Reading,
  { now, limits }: { now: number; limits: GpuLimits },
): Tx<{ returned: string[]; isWaiting: boolean }> {
  const before = yield* lockGpuHealth(machine);
  if (!before?.quarantines) return { returned: [], isWaiting: false };
  const { health, returned, isWaiting } = decideReturns(before, reading, { now, limits });
  if (JSON.stringify(health.cleanReadings) !== JSON.stringify(before.cleanReadings ?? {})) {
    yield* setGpuHealth(machine, health);
  }
  if (returned.length === 0) return { returned, isWaiting };
  yield* returnGpus(machine, returned, now);
  const after = (yield* lockGpuHealth(machine)) ?? {};
  const { returns = {} } = before;
  const added = returned.map((uuid) => [uuid, [...(returns[uuid] ?? []), now].slice(-5)] as const);
  yield* setGpuHealth(machine, {
    ...after,
    returns: { ...after.returns, ...Object.fromEntries(added) },
  });
  return { returned, isWaiting };
}
