// The health of a worker of a load-balancing endpoint, from its answers to health checks. Pure.

import type { Serving } from "./serving.ts";

export interface WorkerHealth {
  /** Requests go only to a ready worker. */
  state: "ready" | "starting" | "failing";
  /** Since when it has been in this state. */
  since: number;
  /** What the last check that changed something found, as a sentence without a subject. */
  finding: string;
}

/** The status of an answer, or why there was none. */
export type CheckResult = { status: number } | { failed: string };

/** This many failed checks in a row take a ready worker out of service. */
const MAX_MISSES = 3;

export interface Checked {
  health: WorkerHealth;
  /** Failed checks in a row. */
  misses: number;
}

/** 200 is ready, 204 is starting, and anything else is a failed check. */
export function judgeCheck(
  { health: before, misses: missesBefore }: { health: WorkerHealth | null; misses: number },
  result: CheckResult,
  serving: Serving,
  now: number,
): Checked {
  const finding = findingOf(result, serving);
  const become = (state: WorkerHealth["state"], misses: number): Checked => {
    const since = before?.state === state ? before.since : now;
    return { health: { state, since, finding }, misses };
  };
  if ("status" in result && result.status === 200) return become("ready", 0);
  if ("status" in result && result.status === 204) return become("starting", 0);
  const misses = missesBefore + 1;
  if (before?.state === "ready" && misses < MAX_MISSES) return { health: before, misses };
  return become("failing", misses);
}

/** The shortest pause before the next check of a worker that is not ready. */
const FIRST_PAUSE_MS = 50;

/**
 * The pause before the next check of a worker that is not ready, after so many milliseconds of its life: a quarter of
 * them, so that one that starts at once is noticed at once, and a slow one is not checked all the time.
 */
export function pauseOfStart(ageMs: number, maxMs: number): number {
  return Math.min(maxMs, Math.max(FIRST_PAUSE_MS, ageMs / 4));
}

export function isSameHealth(a: WorkerHealth | null, b: WorkerHealth): boolean {
  return a !== null && a.state === b.state && a.finding === b.finding;
}

function findingOf(result: CheckResult, { port, healthPort, healthPath }: Serving): string {
  const hint = port === healthPort ? "" : `; PORT is ${port} and PORT_HEALTH is ${healthPort}`;
  if ("failed" in result) {
    return `does not answer GET ${healthPath} at port ${healthPort}: ${result.failed}${hint}`;
  }
  return `answers ${result.status} on ${healthPath} at port ${healthPort}${hint}`;
}

export interface ServingSigns {
  startedAt: number;
  readyAt: number | null;
  health: WorkerHealth | null;
  draining: boolean;
}

/** Why a worker that runs cannot serve, as a sentence; null while it can or may recover. */
export function judgeServing(
  { startedAt, readyAt, health, draining }: ServingSigns,
  now: number,
  { startupMs, silentMs }: { startupMs: number; silentMs: number },
): string | null {
  if (draining || health?.state === "ready") return null;
  const finding = health?.finding ?? "has not been checked yet";
  if (readyAt === null) {
    if (now < startedAt + startupMs) return null;
    return `it was not ready within ${Math.round(startupMs / 1_000)} s of its start: the worker ${finding}`;
  }
  const since = health?.since ?? now;
  // A worker that says that it is starting gets as long as for its first start.
  const limitMs = health?.state === "failing" ? silentMs : startupMs;
  if (now < since + limitMs) return null;
  return `it has not been ready for ${Math.round((now - since) / 1_000)} s: the worker ${finding}`;
}
