// Whether something would be refused for what it costs, as a quote tells it.

import type { Fault } from "../../domain/fault.ts";
import type { Quote } from "../../domain/money/quote.ts";

export function refusedBy(fault: Fault | null): Quote["refused"] {
  return fault && { code: fault.code, sentence: fault.message };
}
