// Amounts of money in the format of the management API: numbers of dollars.

import { Fault } from "../../../domain/fault.ts";

const MICROS_PER_DOLLAR = 1_000_000;

export function dollars(micros: number): number {
  return micros / MICROS_PER_DOLLAR;
}

/** Converts dollars to micro-dollars. Throws a fault for zero and for fractions of a micro-dollar. */
export function microsOf(amount: number, field: string): number {
  const micros = Math.round(amount * MICROS_PER_DOLLAR);
  if (micros !== 0 && micros / MICROS_PER_DOLLAR === amount) return micros;
  const detail = `"${field}" must be a non-zero amount of dollars with at most 6 decimals; it is ${amount}.`;
  throw new Fault("invalid_body", { detail });
}
