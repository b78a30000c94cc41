// The settings of what many share: the rate of a key, what an account stores, the order of the line, and labels in metrics.

import { isObject } from "../base/json/is-object.ts";
import { parseJson } from "../base/json/parse.ts";
import { HOUR_MS } from "../base/units.ts";
import { DEFAULT_HALF_LIFE_MS } from "../domain/gpu-use/decay.ts";
import { metricLabel } from "../domain/metrics/label-values.ts";
import {
  type Limit,
  type LimitName,
  type Limits,
  limitNames,
  runpod,
  unlimited,
} from "../domain/rate/limits.ts";
import { defaultLimits, type ReservationLimits } from "../domain/reservation/limits.ts";
import { listOf } from "./driver-config.ts";
import type { Given } from "./settings.ts";

export interface LimitsConfig {
  /** The most bytes that an account may store; null for no limit. */
  storagePerAccount: number | null;
  /** Rate limits per key. */
  rateLimits: Limits;
  /** Labels of resources that metrics have. */
  metricsLabels: string[];
  /** After how long used GPU-time counts half in the order of the line. */
  shareHalfLifeMs: number;
  reservationLimits: ReservationLimits;
}

export function readLimits(setting: Given, errors: string[]): LimitsConfig {
  return {
    storagePerAccount: readStoragePerAccount(setting("storagePerAccount"), errors),
    rateLimits: readRateLimits(setting("rateLimits"), errors),
    metricsLabels: readMetricsLabels(setting("metricsLabels"), errors),
    shareHalfLifeMs: readShareHalfLife(setting("shareHalfLife"), errors),
    reservationLimits: readReservationLimits(setting("reservationLimits"), errors),
  };
}

const profiles: Record<string, Limits> = { off: unlimited, runpod };

/** "off", "runpod", or limits as a JSON object, which may extend a profile by name. */
function readRateLimits(setting: string | null, errors: string[]): Limits {
  if (setting === null) return unlimited;
  const profile = profiles[setting];
  if (profile) return profile;
  const desired = parsed(setting);
  if (!desired) {
    errors.push(
      'FREEHOLD_RATE_LIMITS takes off, runpod, or a JSON object such as {"run": {"requests": 100}}',
    );
    return unlimited;
  }
  const { profile: base = "off", ...own } = desired;
  const known = profiles[String(base)];
  if (!known) errors.push(`FREEHOLD_RATE_LIMITS: "profile" is "${base}"; it takes off or runpod`);
  const of = { ...known?.of };
  for (const [name, limit] of Object.entries(own)) {
    const error = errorIn(name, limit);
    if (error) errors.push(`FREEHOLD_RATE_LIMITS: ${error}`);
    else of[name as LimitName] = limit as Limit;
  }
  return { of, queue: known?.queue ?? null, requests: known?.requests ?? null };
}

function errorIn(name: string, limit: unknown): string | null {
  if (!(limitNames as readonly string[]).includes(name)) {
    return `there is no "${name}"; there are ${limitNames.join(", ")}`;
  }
  const members = Object.entries((limit ?? {}) as object);
  const strange = members.find(([key]) => !["requests", "concurrent", "perWorker"].includes(key));
  const wrong = members.some(([, value]) => !Number.isInteger(value) || value < 1);
  if (!strange && !wrong && members.some(([key]) => key === "requests")) return null;
  return `"${name}" takes "requests" per 10 s, and optionally "concurrent" and "perWorker", all whole numbers above 0`;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
const DEFAULT_STORAGE_GB = 50;

/** In bytes; null for no limit. */
function readStoragePerAccount(setting: string | null, errors: string[]): number | null {
  if (setting === "off") return null;
  if (setting !== null && !/^\d{1,6}(\.\d{1,3})?$/.test(setting)) {
    errors.push(
      `FREEHOLD_STORAGE_PER_ACCOUNT is "${setting}"; it takes a number of GB such as 50 or 0.5, or off`,
    );
  }
  return Math.round(Number(setting ?? DEFAULT_STORAGE_GB) * 1e9);
}

function readShareHalfLife(setting: string | null, errors: string[]): number {
  if (setting === null) return DEFAULT_HALF_LIFE_MS;
  const hours = /^\d{1,5}$/.test(setting) ? Number(setting) : 0;
  if (hours < 1) {
    errors.push(
      `FREEHOLD_SHARE_HALF_LIFE is "${setting}"; it takes a whole number of hours from 1 to 99999, such as 168`,
    );
  }
  return hours * HOUR_MS;
}

const reservationRanges = {
  hours: { max: 8_760, canBeOff: true },
  aheadDays: { max: 365, canBeOff: false },
  memberPercent: { max: 100, canBeOff: true },
  unusedMinutes: { max: 20_160, canBeOff: true },
};

/** Limits as a JSON object; those that it leaves out are the defaults, and "off" is none. */
function readReservationLimits(setting: string | null, errors: string[]): ReservationLimits {
  if (setting === null) return defaultLimits;
  const desired = parsed(setting);
  if (!desired) {
    errors.push('FREEHOLD_RESERVATION_LIMITS takes a JSON object such as {"hours": 72}');
    return defaultLimits;
  }
  const limits: Record<string, number | null> = { ...defaultLimits };
  for (const [name, limit] of Object.entries(desired)) {
    const range = Object.entries(reservationRanges).find(([each]) => each === name)?.[1];
    if (range?.canBeOff && limit === "off") limits[name] = null;
    else if (range && Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= range.max)
      limits[name] = Number(limit);
    else errors.push(`FREEHOLD_RESERVATION_LIMITS: ${reservationLimitError(name, range)}`);
  }
  return limits as unknown as ReservationLimits;
}

function reservationLimitError(name: string, range?: { max: number; canBeOff: boolean }): string {
  if (!range)
    return `there is no "${name}"; there are ${Object.keys(reservationRanges).join(", ")}`;
  const off = range.canBeOff ? ', or "off"' : "";
  return `"${name}" takes a whole number from 1 to ${range.max}${off}`;
}

const MAX_METRICS_LABELS = 10;

/** Labels of resources that metrics have. Two that Prometheus could not tell apart are refused. */
export function readMetricsLabels(text: string | null, errors: string[]): string[] {
  const names = listOf(text);
  const refuse = (sentence: string) => errors.push(`FREEHOLD_METRICS_LABELS: ${sentence}`);
  if (names.length > MAX_METRICS_LABELS)
    refuse(`it takes at most ${MAX_METRICS_LABELS} labels, not ${names.length}`);
  for (const [n, name] of names.entries()) {
    if (name.includes("=")) refuse(`"${name}" has a "="; it takes names of labels, such as team`);
    const other = names.slice(0, n).find((each) => metricLabel(each) === metricLabel(name));
    if (other !== undefined)
      refuse(`"${other}" and "${name}" would both be ${metricLabel(name)}; leave one out`);
  }
  return names;
}
