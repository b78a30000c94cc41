// A sandbox: a CPU Pod with two limits, on its idle time and on its lifetime. Its record outlives the Pod.

import type { Pod, PodCause } from "../pod/pod.ts";

const sandboxStates = ["CREATING", "RUNNING", "TERMINATED", "FAILED"] as const;
export type SandboxState = (typeof sandboxStates)[number];

const endReasons = [
  "DELETED",
  "IDLE_TIMEOUT",
  "MAX_LIFETIME",
  "EXITED",
  "START_FAILED",
  "NO_CREDITS",
  "BUDGET_SPENT",
  "ACCOUNT_DISABLED",
  "DISK_FULL",
  "STOPPED",
] as const;
export type EndReason = (typeof endReasons)[number];

export interface SandboxLimits {
  /** The most time without a command. */
  idleMs: number;
  /** The most time since its creation. */
  lifeMs: number;
}

export interface SandboxEnd {
  reason: EndReason;
  /** The reason in words; null if a client ended it. */
  detail: string | null;
  at: number;
}

export interface Sandbox extends SandboxLimits {
  id: string;
  accountId: string;
  name: string;
  templateId: string | null;
  imageName: string;
  cpuFlavorId: string | null;
  vcpus: number;
  memoryMb: number;
  containerDiskInGb: number;
  labels: Record<string, string>;
  state: SandboxState;
  createdAt: number;
  updatedAt: number;
  startedAt: number | null;
  /** When it was created, became ready, or last began or ended a command. */
  activeAt: number;
  /** When each command that may still run ends at the latest; it is not idle before the last of them. Each is a different instant. */
  commandsUntil: number[];
  /** Null while it lives. */
  end: SandboxEnd | null;
}

const SECOND_MS = 1_000;

const limitSeconds = {
  idle: { default: 600, limit: 7_200 },
  life: { default: 3_600, limit: 86_400 },
};

/** Limits over the maximum are lowered to it; undefined is the default. */
export function limitsOf(idleS: number | undefined, lifeS: number | undefined): SandboxLimits {
  const { idle, life } = limitSeconds;
  return {
    idleMs: Math.min(idleS ?? idle.default, idle.limit) * SECOND_MS,
    lifeMs: Math.min(lifeS ?? life.default, life.limit) * SECOND_MS,
  };
}

export function expiresAt({ createdAt, lifeMs }: Pick<Sandbox, "createdAt" | "lifeMs">): number {
  return createdAt + lifeMs;
}

export function idleExpiresAt(
  sandbox: Pick<Sandbox, "activeAt" | "commandsUntil" | "idleMs">,
): number {
  return Math.max(sandbox.activeAt + sandbox.idleMs, busyUntil(sandbox));
}

/** 0 without a command. */
export const busyUntil = ({ commandsUntil }: Pick<Sandbox, "commandsUntil">): number =>
  Math.max(0, ...commandsUntil);

/** The limit that it has reached; null if none. Before it runs, only its lifetime counts. */
export function reachedLimit(sandbox: Sandbox, now: number): SandboxEnd | null {
  if (sandbox.end !== null) return null;
  const { idleMs, lifeMs, state } = sandbox;
  const lifeEnd = expiresAt(sandbox);
  const idleEnd = state === "RUNNING" ? idleExpiresAt(sandbox) : Number.POSITIVE_INFINITY;
  if (Math.min(lifeEnd, idleEnd) > now) return null;
  if (idleEnd < lifeEnd) {
    const detail = `it ran no command for ${idleMs / SECOND_MS} seconds, its idle limit`;
    return { reason: "IDLE_TIMEOUT", detail, at: idleEnd };
  }
  const detail = `it reached its lifetime of ${lifeMs / SECOND_MS} seconds`;
  return { reason: "MAX_LIFETIME", detail, at: lifeEnd };
}

const reasons: Partial<Record<PodCause, EndReason>> = {
  deleted: "DELETED",
  finished: "EXITED",
  gave_up: "EXITED",
  no_credits: "NO_CREDITS",
  budget_spent: "BUDGET_SPENT",
  account_disabled: "ACCOUNT_DISABLED",
  disk_full: "DISK_FULL",
};

/** Why a sandbox ends with its Pod. */
export function endOf(
  { observed, backoff }: Pick<Pod, "observed" | "backoff">,
  { cause, reason, at }: { cause: PodCause; reason: string | null; at: number },
): SandboxEnd {
  const neverRan = observed.state === "none" && backoff.failedStarts !== null;
  if (cause === "gave_up" && neverRan) return { reason: "START_FAILED", detail: reason, at };
  const detail = cause === "finished" ? "its container ended with exit code 0" : reason;
  return { reason: reasons[cause] ?? "STOPPED", detail, at };
}

export const endState = ({ reason }: SandboxEnd): SandboxState =>
  reason === "START_FAILED" ? "FAILED" : "TERMINATED";
