// The refusal of an engine to limit a container to more CPUs than its machine has.

import { messageOf } from "../engine.ts";

/** The number of CPUs that the refusal names; null for another error. */
export function cpuCountIn(error: unknown): number | null {
  const count = /there are only (\d+(?:\.\d+)?) CPUs available/i.exec(messageOf(error))?.[1];
  return count === undefined ? null : Number(count);
}
