// The faults of operations that need a sandbox that runs.

import { Fault } from "../fault.ts";
import type { Sandbox } from "./sandbox.ts";

/** Null for a sandbox that runs. */
export function notRunning(sandbox: Sandbox): Fault | null {
  if (sandbox.end !== null) return endedFault(sandbox);
  return sandbox.state === "CREATING" ? new Fault("sandbox_starting", { id: sandbox.id }) : null;
}

export function endedFault({ id, end }: Sandbox): Fault {
  const deleted = end?.reason === "DELETED" ? "a client deleted it" : "it is ending";
  return new Fault("sandbox_ended", { id, reason: end?.detail ?? deleted });
}
