// A request for a Pod that waits in line until there is room for it. It is no Pod: it has no machine, holds nothing and costs
// nothing.

import { DAY_MS } from "../../base/units.ts";
import type { Creator } from "../account.ts";
import type { PodRequest, PodTerms } from "../pod/pod-request.ts";
import type { PodSpec } from "../pod/spec.ts";
import type { Waiting } from "./waiting.ts";

/** What is created once there is room. */
export interface QueuedRequest extends PodTerms {
  request: PodRequest;
}

export interface QueuedPod extends Creator, QueuedRequest {
  /** The id that the Pod will have. */
  id: string;
  queuedAt: number;
  /** The request as it was resolved when it entered the line; the Pod resolves it again. */
  spec: PodSpec;
  driver: string;
  waiting: Waiting;
  /** Why it left the line without a Pod; null while it waits. */
  refusal: { reason: string; at: number } | null;
}

/** For how long a request that left the line can be read. */
export const REFUSED_SHOWN_MS = DAY_MS;

/** The deadline that passed while the request waited, in words: the Pod would end at once. */
export function passedDeadline(
  { stopAfter, terminateAfter }: Pick<QueuedRequest, "stopAfter" | "terminateAfter">,
  now: number,
): string | null {
  const name = [
    ["terminateAfter", terminateAfter] as const,
    ["stopAfter", stopAfter] as const,
  ].find(([, at]) => at !== null && at <= now)?.[0];
  return name === undefined ? null : `its ${name} time passed while it waited`;
}
