// domain/money/owed.ts as an SQL expression over a row of `usage`.

import { HOUR_MS } from "../../base/units.ts";
import { SPLIT_PRECISION } from "../../domain/money/owed.ts";

/**
 * Micro-dollars owed at an instant. Whole hours are multiplied apart, so that no product overflows.
 */
export const owedAt = (at: string) =>
  `((${at} - began_at) / ${HOUR_MS} * rate + ((${at} - began_at) % ${HOUR_MS} * rate + carry) / ${HOUR_MS})`;

/** The columns that it reads, beside the instant. */
export const OWED_FROM = "began_at, rate, carry";

const scale = `(rate / ${SPLIT_PRECISION} + 1)`;
const disks = `(disk_rate / ${scale})`;
const whole = `(rate / ${scale})`;

/** The part of an owed amount that is for disks; the quotient and the remainder are multiplied apart. */
export const diskPartOf = (micros: string) =>
  `(case when disk_rate = 0 then 0
    else ${micros} / ${whole} * ${disks} + ${micros} % ${whole} * ${disks} / ${whole} end)`;
