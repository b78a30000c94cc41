// Places something on GPUs of a type that its quotas allow, if there is room on one.

import type { Fault } from "../../domain/fault.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  exhaustedWithin,
  limitsOn,
  type QuotaLimit,
  type QuotaSubject,
  requireWithin,
  ruledOutWithin,
} from "../quota/require-quota.ts";
import type { Search } from "./places.ts";

interface Demand {
  request: PlacementRequest;
  /** How many of the request. */
  count: number;
  volumeGb: number;
}

/**
 * Places with a search that leaves exhausted GPU types out, and without that restriction if it finds none: `spend`
 * then refuses the type. The account is not held yet, so `spend` also repeats the decision about the rest.
 */
export function* placeWithinQuota<Placement extends object, In extends Search>(
  subject: QuotaSubject,
  { request: { compute }, count, volumeGb }: Demand,
  search: In,
  place: (search: In) => Tx<Placement>,
): Tx<Placement | Fault> {
  const gpus = compute.kind === "GPU" ? compute.count * count : 0;
  const vcpus = compute.vcpus * count;
  const limits = yield* limitsOn(subject);
  const refusal = yield* requireWithin(limits, subject, {
    pods: count,
    gpus,
    vcpus,
    volumeGb: volumeGb * count,
  });
  if (refusal) return refusal;
  return yield* placeWithinTypes(limits, gpus, search, place);
}

/** Checks GPU types alone, for this number of GPUs. */
export function* placeWithinTypes<Placement extends object, In extends Search>(
  limits: readonly QuotaLimit[],
  gpus: number,
  search: In,
  place: (search: In) => Tx<Placement>,
): Tx<Placement> {
  const exceptGpuTypes = exhaustedWithin(limits, gpus);
  const placement = yield* place({ ...search, exceptGpuTypes });
  if ("placed" in placement || exceptGpuTypes.length === 0) return placement;
  // A type that is allowed later comes before one that never is.
  const later = yield* place({ ...search, exceptGpuTypes: ruledOutWithin(limits, gpus) });
  return "placed" in later ? later : yield* place(search);
}
