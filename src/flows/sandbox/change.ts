// A client changes the limits of a sandbox, or ends it.

import type { Clock } from "../../base/clock.ts";
import { limitsOf } from "../../domain/sandbox/sandbox.ts";
import type { Store } from "../../store/engine/store.ts";
import { changeLimits, endSandbox } from "../../transactions/sandbox/change.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { readSandbox, type SandboxView } from "./read.ts";

export interface RequestedLimits {
  idleTimeoutSeconds?: number;
  maxLifetimeSeconds?: number;
  /** True if the lifetime must not become shorter. */
  isExtension?: boolean;
}

interface SandboxDeps {
  store: Store;
  clock: Clock;
}

export async function changeSandboxOf(
  deps: SandboxDeps,
  accountId: string,
  id: string,
  { idleTimeoutSeconds, maxLifetimeSeconds, isExtension = false }: RequestedLimits,
): Promise<SandboxView> {
  const { store, clock } = deps;
  const { idleMs, lifeMs } = limitsOf(idleTimeoutSeconds, maxLifetimeSeconds);
  const change = {
    ...(idleTimeoutSeconds !== undefined && { idleMs }),
    ...(maxLifetimeSeconds !== undefined && { lifeMs }),
    isExtension,
  };
  await throwRefusal(store.write(changeLimits, { accountId, id }, change, clock.now()));
  return readSandbox(deps, accountId, id);
}

/** Ending a sandbox that has ended changes nothing. */
export async function deleteSandboxOf(
  { store, clock }: SandboxDeps,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(endSandbox, { accountId, id }, clock.now(), currentActor()));
}
