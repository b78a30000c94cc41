// The placement of Pods that belong together: all of them or none. Pure.

import { decidePlacement, type Placed } from "./decide.ts";
import type { Place } from "./place.ts";
import type { PlacementRequest } from "./request.ts";

/** What so many Pods of a request need on one machine; `sharedGb` of their disk is needed once. */
export function gangRequest(
  request: PlacementRequest,
  count: number,
  sharedGb: number,
): PlacementRequest {
  const { compute } = request;
  const diskGb = (request.diskGb - sharedGb) * count + sharedGb;
  const size = { vcpus: compute.vcpus * count, memoryMb: compute.memoryMb * count };
  return {
    ...request,
    needs: [...(request.needs ?? []), "clusters of Pods"],
    vcpusOfEach: compute.vcpus,
    diskGb,
    compute:
      compute.kind === "CPU"
        ? { ...compute, ...size }
        : { ...compute, ...size, count: compute.count * count },
  };
}

/** A place that was taken for so many Pods, divided among them by rank. */
export function memberPlaces(whole: Placed, count: number): Placed[] {
  const each = whole.gpuIndices.length / count;
  return Array.from({ length: count }, (_, rank) => ({
    ...whole,
    gpuIndices: whole.gpuIndices.slice(rank * each, (rank + 1) * each),
  }));
}

/** How many of at most `count` Pods a machine has room for. */
export function roomFor(
  request: PlacementRequest,
  count: number,
  sharedGb: number,
  place: Place,
): number {
  for (let room = count; room > 0; room--) {
    if ("placed" in decidePlacement(gangRequest(request, room, sharedGb), [place])) return room;
  }
  return 0;
}
