// The part of a quote that says whether the account may not spend that much.

import type { Fault } from "../../domain/fault.ts";
import type { Quote } from "../../domain/money/quote.ts";

export function refusedBy(fault: Fault | null): Quote["refused"] {
  return fault && { code: fault.code, sentence: fault.message };
}
