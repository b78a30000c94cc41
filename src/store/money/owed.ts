// What domain/money/owed.ts says, in SQL.

import { HOUR_MS } from "../../domain/money/owed.ts";

/** Of a usage at an instant; hours apart, so that no product grows too large. */
export const owedAt = (at: string) =>
  `((${at} - began_at) / ${HOUR_MS} * rate + ((${at} - began_at) % ${HOUR_MS} * rate + carry) / ${HOUR_MS})`;
