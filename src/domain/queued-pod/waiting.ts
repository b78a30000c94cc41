// What a request for a Pod waits for: the refusals that waiting can change. Pure.

import type { Fault } from "../fault.ts";
import { type ExceededLimit, QuotaFault } from "../quota/quota.ts";

export type Waiting =
  | { code: "no_credits" | "budget_spent"; sentence: string }
  /** `isKept` if GPUs that would do are reserved for others or guaranteed to them. */
  | { code: "no_capacity"; sentence: string; isKept?: true }
  | { code: "quota_exceeded"; sentence: string; limit: ExceededLimit };

const FULL = "All machines that could run it are full or offline.";

/** No machine that answers has its driver. */
export const NO_MACHINE: Waiting = { code: "no_capacity", sentence: FULL };

/**
 * Null for a refusal that holds however long the request waits. `fits` says whether a known machine could run it if it were empty,
 * on GPUs of a type that no quota rules out.
 */
export function waitingAfter(refusal: Fault, fits: boolean): Waiting | null {
  if (refusal instanceof QuotaFault && fits) {
    const { message: sentence, limit, neverFits } = refusal;
    if (!neverFits) return { code: "quota_exceeded", sentence, limit };
    // Only the type that was free is ruled out: placement prefers every other.
    return limit.gpuTypeId === null ? null : NO_MACHINE;
  }
  return refusal.code === "no_capacity" && fits ? noCapacity(refusal) : null;
}

function noCapacity({ passedOver }: Fault): Waiting {
  const texts = new Set((passedOver ?? []).flatMap(({ withheldTexts = [] }) => withheldTexts));
  if (texts.size === 0) return { code: "no_capacity", sentence: FULL };
  const sentence = `${FULL.slice(0, -1)}, or their GPUs are kept free: ${[...texts].join("; ")}.`;
  return { code: "no_capacity", sentence, isKept: true };
}

/**
 * In line a request also waits for credits and budgets, and for a machine that is offline for now. A quota that was lowered
 * below what it needs removes it from the line. `isAllowed` says whether a GPU type would do that no quota rules out.
 */
export function waitingInLine(refusal: Fault, isAllowed: boolean): Waiting | null {
  const { code, message: sentence } = refusal;
  if (code === "no_credits" || code === "budget_spent") return { code, sentence };
  if (refusal instanceof QuotaFault && !isAllowed) return null;
  return waitingAfter(refusal, true);
}
