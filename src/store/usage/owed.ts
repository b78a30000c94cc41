// domain/money/owed.ts as an SQL expression over a row of `usage`.

import { HOUR_MS } from "../../domain/money/owed.ts";

/**
 * Micro-dollars owed at an instant. Whole hours are multiplied apart, so that no product overflows.
 */
export const owedAt = (at: string) =>
  `((${at} - began_at) / ${HOUR_MS} * rate + ((${at} - began_at) % ${HOUR_MS} * rate + carry) / ${HOUR_MS})`;
