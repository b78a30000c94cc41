// Changes of a sandbox that clients cause.

import type { Actor } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { endedFault, notRunning } from "../../domain/sandbox/refusal.ts";
import type { Sandbox, SandboxLimits } from "../../domain/sandbox/sandbox.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findPod, lockPod } from "../../store/pod/row.ts";
import { lockSandbox, replaceSandbox } from "../../store/sandbox/sandbox.ts";
import { movePod } from "../pod/move.ts";

export interface OwnSandbox {
  accountId: string;
  id: string;
}

export interface LimitChange extends Partial<SandboxLimits> {
  /** True if the lifetime must not become shorter. */
  isExtension: boolean;
}

export function* changeLimits(
  { accountId, id }: OwnSandbox,
  { isExtension, ...limits }: LimitChange,
  now: number,
): Tx<Sandbox | Fault> {
  const sandbox = yield* lockSandbox(id);
  if (sandbox?.accountId !== accountId) return new Fault("sandbox_not_found", { id });
  if (sandbox.end !== null) return endedFault(sandbox);
  const changed = { ...sandbox, ...limits, updatedAt: now };
  if (isExtension && changed.lifeMs < sandbox.lifeMs) {
    const seconds = sandbox.lifeMs / 1_000;
    const detail = `The lifetime is ${seconds} seconds since the creation; an extension must be longer.`;
    return new Fault("invalid_body", { detail });
  }
  yield* replaceSandbox(changed);
  return changed;
}

/** Changes nothing if it has ended. */
export function* endSandbox(
  { accountId, id }: OwnSandbox,
  at: number,
  by: Actor | undefined,
): Tx<Sandbox | Fault> {
  const pod = yield* lockPod(id);
  const sandbox = yield* lockSandbox(id);
  if (sandbox?.accountId !== accountId) return new Fault("sandbox_not_found", { id });
  if (pod) yield* movePod(pod, { event: "delete", cause: "deleted", reason: null, by, at });
  return sandbox;
}

/** A command keeps it from being idle, at most until its limit, even if this process dies. Returns the limit, by which it ends. */
export function* noteCommandBegin(
  { accountId, id }: OwnSandbox,
  now: number,
  limitMs: number,
): Tx<{ pod: Pod; until: number } | Fault> {
  const sandbox = yield* lockSandbox(id);
  if (sandbox?.accountId !== accountId) return new Fault("sandbox_not_found", { id });
  const refusal = notRunning(sandbox);
  if (refusal) return refusal;
  const pod = yield* findPod(id);
  if (!pod) return endedFault(sandbox);
  const others = sandbox.commandsUntil.filter((each) => each > now);
  let until = now + limitMs;
  while (others.includes(until)) until++;
  const commandsUntil = [...others, until];
  yield* replaceSandbox({ ...sandbox, activeAt: now, commandsUntil, updatedAt: now });
  return { pod, until };
}

/** Other commands may still run, also through other replicas. */
export function* noteCommandEnd(id: string, until: number, now: number): Tx<void> {
  const sandbox = yield* lockSandbox(id);
  if (!sandbox || sandbox.end !== null) return;
  const commandsUntil = sandbox.commandsUntil.filter((each) => each !== until);
  yield* replaceSandbox({ ...sandbox, activeAt: now, commandsUntil, updatedAt: now });
}
