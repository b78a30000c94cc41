// Money as this interface writes it: numbers, in dollars.

import { Fault } from "../../domain/fault.ts";

const PER_DOLLAR = 1_000_000;

export function dollars(micros: number): number {
  return micros / PER_DOLLAR;
}

/** What a client wrote, in micro-dollars; it must have a whole number of them, and not none. */
export function microsOf(given: number, field: string): number {
  const micros = Math.round(given * PER_DOLLAR);
  if (micros !== 0 && micros / PER_DOLLAR === given) return micros;
  const detail = `"${field}" must be an amount of dollars to the millionth, and not zero; it is ${given}.`;
  throw new Fault("invalid_body", { detail });
}
