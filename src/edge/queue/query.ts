// Query parameters of the queue. A number out of range is clamped where the documentation says so; a
// value that is no number is refused.

import { Fault } from "../../domain/fault.ts";
import { limits } from "../../domain/protocol.ts";
import { MAX_PAGE } from "../../flows/job/list.ts";

const MILLISECONDS = "a number of milliseconds such as 30000";

type Query = Record<string, string | string[] | undefined>;

/** A parameter, or null where it is absent. Throws for a repeated one. */
export function single(query: unknown, name: string): string | null {
  const value = (query as Query)[name];
  if (Array.isArray(value)) {
    throw new Fault("invalid_query", { detail: `"${name}" was given ${value.length} times.` });
  }
  return value || null;
}

/** A whole number, or null where the parameter is absent. */
export function wholeNumber(query: unknown, name: string, form: string): number | null {
  return numberOf(query, name, { form, isValid: Number.isSafeInteger });
}

/** Milliseconds, which some clients compute as a fraction; null where the parameter is absent. */
function milliseconds(query: unknown, name: string): number | null {
  const value = numberOf(query, name, { form: MILLISECONDS, isValid: Number.isFinite });
  return value === null ? null : Math.trunc(value);
}

function numberOf(
  query: unknown,
  name: string,
  { form, isValid }: { form: string; isValid(value: number): boolean },
): number | null {
  const value = single(query, name);
  if (value === null) return null;
  if (isValid(Number(value))) return Number(value);
  throw new Fault("invalid_query", { detail: `"${name}" must be ${form}; it is "${value}".` });
}

/** How long to wait for a job, clamped to the documented range; null where it is absent. */
export function waitMs(query: unknown): number | null {
  const value = milliseconds(query, "wait");
  return value === null ? null : clamp(value, limits.waitMs.min, limits.waitMs.max);
}

/** A time to live on status. Out of range it is refused, because it decides when a job is deleted. */
export function ttlMs(query: unknown): number | null {
  const value = milliseconds(query, "ttl");
  const { min, max } = limits.statusTtlMs;
  if (value !== null && (value < min || value > max)) {
    throw new Fault("invalid_query", {
      detail: `"ttl" must be between ${min} and ${max} milliseconds; it is ${value}.`,
    });
  }
  return value;
}

/** How many jobs a page has; null where it is absent. */
export function pageSize(query: unknown): number | null {
  const form = `a whole number from 1 to ${MAX_PAGE}`;
  const value = wholeNumber(query, "limit", form);
  if (value !== null && (value < 1 || value > MAX_PAGE)) {
    throw new Fault("invalid_query", { detail: `"limit" must be ${form}; it is ${value}.` });
  }
  return value;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
