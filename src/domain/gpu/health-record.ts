// What is recorded of the health of a machine's GPUs, by UUID, and what an error of a GPU changes in it. Pure.

import { DAY_MS } from "../../base/units.ts";
import type { AmdErrorCode } from "./amd-error.ts";
import type { GpuLimits } from "./checks.ts";
import {
  adviceText,
  errorKindOf,
  errorName,
  errorText,
  type GpuErrorCode,
  quarantineCode,
} from "./gpu-error.ts";
import type { GpuTest } from "./gpu-test.ts";
import type { LoggedDriverLine, PciAddress } from "./kernel-line.ts";
import type { MemoryErrors } from "./memory-errors.ts";
import type { MigProfileLists } from "./mig/listed-profiles.ts";
import type { MigChanges } from "./mig/mig-layout.ts";
import type { CleanReadings } from "./return-gpus.ts";

/** A GPU that gets no new workload until an operator returns it. */
export interface Quarantine {
  /** Such as "xid_79". */
  code: `xid_${number}` | AmdErrorCode | "off_the_bus" | "ecc_uncorrectable" | "test_failed";
  at: number;
  reason: string;
  /** What to do, as NVIDIA recommends it for an Xid. */
  recommendation: string;
}

/** The errors with one code of one workload on a GPU. */
export interface GpuErrors {
  code: GpuErrorCode;
  /** The Pod or worker that had the GPU; null if none had it. */
  workload: string | null;
  /** What it runs: a Pod by itself, or the endpoint of a worker. */
  program: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface GpuHealth extends MigChanges {
  /** Since when the kernel log is watched: what is older does not count. */
  watchedSince?: number;
  /** How far the kernel log was read since which start of the machine. */
  position?: { boot: string; seq: number };
  quarantines?: Readonly<Record<string, Quarantine>>;
  /** The errors of the last day. */
  errors?: Readonly<Record<string, readonly GpuErrors[]>>;
  /** The UUIDs that the kernel log named. */
  addresses?: Readonly<Record<PciAddress, string>>;
  /** The counters of uncorrectable memory errors in the last reading. */
  memoryErrors?: Readonly<Record<string, MemoryErrors>>;
  /** The readings of GPUs in quarantine that may go back by themselves. */
  cleanReadings?: Readonly<Record<string, CleanReadings>>;
  /** The last test of each GPU. */
  tests?: Readonly<Record<string, GpuTest>>;
  /** The UUIDs of GPUs whose NVLinks count anew with the next reading. */
  forgottenLinks?: readonly string[];
  /** What the driver lists for the GPUs that were in MIG mode, and which version of it did. */
  migProfiles?: MigProfileLists;
  /** When GPUs went back by themselves. */
  returns?: Readonly<Record<string, readonly number[]>>;
}

/** An error of a GPU at an instant; `code` is null for a GPU that is off the bus without an Xid. */
export interface GpuError {
  uuid: string;
  code: GpuErrorCode | null;
  detail: string;
  at: number;
  workload: string | null;
  program: string | null;
}

/** The lines that were not read before, and the record with them read. */
export function takeNewLines(
  before: GpuHealth,
  { boot, openedAt, lines }: { boot: string; openedAt: number; lines: readonly LoggedDriverLine[] },
): { health: GpuHealth; lines: LoggedDriverLine[] } {
  const { watchedSince = openedAt, position } = before;
  const seq = position?.boot === boot ? position.seq : -1;
  const added = lines.filter((each) => each.seq > seq);
  const last = Math.max(seq, ...added.map((each) => each.seq));
  const named = added.flatMap(({ line }) =>
    line.kind === "uuid" ? [[line.pci, line.uuid] as const] : [],
  );
  const health = {
    ...before,
    watchedSince,
    ...(last >= 0 && { position: { boot, seq: last } }),
    ...(named.length > 0 && {
      addresses: { ...before.addresses, ...Object.fromEntries(named) },
    }),
  };
  return { health, lines: added.filter(({ at }) => at >= watchedSince) };
}

interface Outcome {
  health: GpuHealth;
  /** Null if the GPU stays in placement, or was in quarantine before. */
  quarantine: Quarantine | null;
  /** The line for the log of its workload; null for none. */
  workloadText: string | null;
}

/** The entries that are recorded of one GPU. */
const MAX_ENTRIES = 50;

export function applyGpuError(
  before: GpuHealth,
  error: GpuError,
  limits: Pick<GpuLimits, "failedWorkloads">,
): Outcome {
  const { uuid, code, at } = error;
  const { quarantines = {}, errors = {} } = before;
  const recorded = errors[uuid] ?? [];
  const counted = code === null ? recorded : countError(recorded, { ...error, code });
  const finding = Object.hasOwn(quarantines, uuid) ? null : judgeError(error, counted, limits);
  const quarantine = finding && { ...finding, at };
  const health = {
    ...before,
    errors: { ...errors, [uuid]: counted },
    ...(quarantine && { quarantines: { ...quarantines, [uuid]: quarantine } }),
  };
  return { health, quarantine, workloadText: quarantine ? null : textForWorkload(error, recorded) };
}

function countError(recorded: readonly GpuErrors[], error: GpuError & { code: GpuErrorCode }) {
  const { code, workload, program, at } = error;
  const recent = recorded.filter(({ lastAt }) => lastAt > at - DAY_MS);
  const isSame = (each: GpuErrors) => each.code === code && each.workload === workload;
  const previous = recent.find(isSame);
  const next = previous
    ? { ...previous, count: previous.count + 1, lastAt: Math.max(at, previous.lastAt) }
    : { code, workload, program, count: 1, firstAt: at, lastAt: at };
  return [...recent.filter((each) => !isSame(each)), next].slice(-MAX_ENTRIES);
}

function judgeError(
  { code, detail }: GpuError,
  counted: readonly GpuErrors[],
  { failedWorkloads }: Pick<GpuLimits, "failedWorkloads">,
): Omit<Quarantine, "at"> | null {
  if (code === null) {
    const reason = "its driver found it off the bus";
    return { code: "off_the_bus", reason, recommendation: "restart the machine" };
  }
  const { effect, recommendation } = errorKindOf(code);
  const finding = { code: quarantineCode(code), recommendation };
  const whole = { ...finding, reason: errorText(code) };
  switch (effect) {
    case "quarantine":
      return whole;
    case "fatal":
      return /(?<!non-)\bfatal\b/i.test(detail) ? whole : null;
    case "second": {
      const count = counted.reduce((sum, each) => sum + (each.code === code ? each.count : 0), 0);
      if (count < 2) return null;
      return { ...whole, reason: `${errorText(code)}, for the second time within a day` };
    }
    case "workload": {
      const failures = counted.filter((each) => errorKindOf(each.code).effect === "workload");
      const programs = new Set(failures.flatMap(({ program }) => program ?? []));
      if (programs.size < failedWorkloads) return null;
      const reason = `${errorText(code)}, after ${programs.size} different workloads failed on it within a day`;
      return { ...finding, reason, recommendation: "test the GPU before you use it again" };
    }
    default:
      return null;
  }
}

/** A workload's log has a code again after so long without it: a program may fail thousands of times a second. */
const REPEAT_MS = 60_000;

function textForWorkload(error: GpuError, recorded: readonly GpuErrors[]): string | null {
  const { code, workload, at, detail } = error;
  if (code === null || workload === null) return null;
  const { effect } = errorKindOf(code);
  if (effect !== "workload" && effect !== "note") return null;
  const previous = recorded.find((each) => each.code === code && each.workload === workload);
  if (previous && at < previous.lastAt + REPEAT_MS) return null;
  const words = detail === "" ? "" : ` (${detail})`;
  return `${errorText(code)}${words}; ${adviceText(code)}`;
}

/** The record after GPUs were returned: their earlier errors count no longer. */
export function withoutQuarantines(before: GpuHealth, uuids: readonly string[]): GpuHealth {
  const keep = <Of>(all: Readonly<Record<string, Of>>) =>
    Object.fromEntries(Object.entries(all).filter(([uuid]) => !uuids.includes(uuid)));
  const { quarantines = {}, errors = {}, returns = {} } = before;
  return {
    ...before,
    quarantines: keep(quarantines),
    errors: keep(errors),
    ...(before.returns && { returns: keep(returns) }),
  };
}

export interface RecentErrors extends Pick<GpuErrors, "workload" | "count" | "lastAt"> {
  uuid: string;
  /** Such as "xid_31". */
  code: string;
}

/** The errors of GPUs within a day, by GPU, code and workload. */
export function recentErrors({ errors = {} }: GpuHealth, now: number): RecentErrors[] {
  return Object.entries(errors).flatMap(([uuid, all]) =>
    all
      .filter(({ lastAt }) => lastAt > now - DAY_MS)
      .map(({ code, workload, count, lastAt }) => {
        return { uuid, code: quarantineCode(code), workload, count, lastAt };
      }),
  );
}

/** The last error of a workload, as it is explained to its user; null for none. */
export function lastErrorText(
  errors: NonNullable<GpuHealth["errors"]>,
  workload: string,
): string | null {
  const own = Object.values(errors)
    .flat()
    .filter((each) => each.workload === workload)
    .filter(({ code }) => !["count", "reading"].includes(errorKindOf(code).effect));
  const last = own.toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
  if (!last) return null;
  const times = last.count === 1 ? "" : `, ${last.count} times`;
  const at = new Date(last.lastAt).toISOString();
  return `Its GPU reported ${errorName(last.code)} at ${at}${times}: ${errorKindOf(last.code).text}. ${adviceText(last.code)}.`;
}
