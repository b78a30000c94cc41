// Whether a request in line waits for GPUs that are reserved for it. Pure.

import type { PodSpec } from "../pod/spec.ts";
import { type Asker, type Claim, isFor } from "../reservation/reservation.ts";
import type { Waiting } from "./waiting.ts";

/** A request in line. */
export interface AwaitingRequest extends Asker {
  spec: Pick<PodSpec, "computeType" | "gpuCount" | "gpuTypeIds" | "interruptible">;
  waiting: Pick<Waiting, "code">;
}

/**
 * Whether the request waits for GPUs that the claim keeps for it, as others hold some of them, or they are free on several machines.
 * One for more than is reserved never fits.
 */
export function awaitsReserved(
  { spec, waiting, ...asker }: AwaitingRequest,
  claim: Claim,
): boolean {
  const { computeType, gpuCount, gpuTypeIds, interruptible } = spec;
  if (waiting.code !== "no_capacity" || computeType !== "GPU" || interruptible) return false;
  const isAccepted = gpuTypeIds.length === 0 || gpuTypeIds.includes(claim.gpuTypeId);
  return isAccepted && gpuCount <= claim.gpuCount && isFor(claim, asker);
}
