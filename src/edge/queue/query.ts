// Numbers in the queue's queries. Out of range is brought into range where the documents say so;
// no number at all is a fault.

import { Fault } from "../../domain/fault.ts";
import { limits } from "../../domain/protocol.ts";

type Query = Record<string, string | string[] | undefined>;

/** A value from the query, or null where it was not given; given twice it is a fault. */
export function single(query: unknown, name: string): string | null {
  const given = (query as Query)[name];
  if (Array.isArray(given)) {
    throw new Fault("invalid_query", { detail: `"${name}" was given ${given.length} times.` });
  }
  return given || null;
}

/** A whole number from the query, or null where it was not given. */
export function wholeNumber(query: unknown, name: string): number | null {
  const given = single(query, name);
  if (given === null) return null;
  const number = Number(given);
  if (!Number.isFinite(number)) {
    throw new Fault("invalid_query", {
      detail: `"${name}" must be a number of milliseconds such as 30000; it is "${given}".`,
    });
  }
  return Math.trunc(number);
}

/** How long to wait for a job, brought into the documented range; null where it was not given. */
export function waitMs(query: unknown): number | null {
  const given = wholeNumber(query, "wait");
  return given === null ? null : clamp(given, limits.waitMs.min, limits.waitMs.max);
}

/** A time to live on status; out of range is refused, since it would delete something. */
export function ttlMs(query: unknown): number | null {
  const given = wholeNumber(query, "ttl");
  const { min, max } = limits.statusTtlMs;
  if (given !== null && (given < min || given > max)) {
    throw new Fault("invalid_query", {
      detail: `"ttl" must be between ${min} and ${max} milliseconds; it is ${given}.`,
    });
  }
  return given;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
