// The line as it stands: who waits, and what could run each request.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Place } from "../../domain/placement/place.ts";
import { requestOf, unofferedOf } from "../../domain/pod/compute.ts";
import {
  type InLine,
  placesFor,
  requestsAhead,
  type Waiter,
} from "../../domain/queued-pod/line.ts";
import type { QueuedPod } from "../../domain/queued-pod/queued-pod.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import { findProjectOf } from "../../store/project/project.ts";
import { waitingPods } from "../../store/queued-pod/queued-pod.ts";
import { emptyPlaces } from "../../transactions/place/places.ts";

export interface LineDeps {
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
}

export interface LineEntry extends Waiter {
  pod: QueuedPod;
}

interface WaitingRequests {
  /** In their order. */
  line: LineEntry[];
  /** The requests for what the catalog offers no more. They hold up no other, and leave when they are tried. */
  unoffered: QueuedPod[];
}

/** All requests that wait. */
export function* readWaiting(deps: LineDeps, now: number): Tx<WaitingRequests> {
  const pods = yield* waitingPods();
  const line: LineEntry[] = [];
  const unoffered: QueuedPod[] = [];
  const places = pods.length > 0 ? yield* knownPlaces(deps, now) : [];
  for (const pod of pods) {
    if (unofferedOf(deps.catalog, pod.spec) === null)
      line.push({ ...(yield* inLine(deps, pod, places)), pod, waiting: pod.waiting });
    else unoffered.push(pod);
  }
  return { line, unoffered };
}

export function* readLine(deps: LineDeps, now: number): Tx<LineEntry[]> {
  return (yield* readWaiting(deps, now)).line;
}

/** Known machines as if nothing ran on them. */
export function* knownPlaces({ heartbeatTiming }: LineDeps, now: number): Tx<Place[]> {
  return yield* emptyPlaces(now - heartbeatTiming.goneMs, now);
}

type Candidate = Pick<QueuedPod, "accountId" | "owner" | "spec" | "driver">;

export function* inLine(
  { catalog }: Pick<LineDeps, "catalog">,
  { accountId, owner, spec, driver }: Candidate,
  places: readonly Place[],
): Tx<InLine> {
  const { networkVolumeId } = spec;
  const volume = networkVolumeId === null ? undefined : yield* findVolume(networkVolumeId);
  const request = requestOf(catalog, spec, driver, volume ?? null);
  const project = owner && (yield* findProjectOf(owner.id));
  return {
    accountId,
    ownerId: owner?.id ?? null,
    projectId: project?.id ?? null,
    request,
    volumeInGb: spec.volumeInGb,
    places: placesFor(request, places),
  };
}

/** How many requests come before it; null if it is not in the line. */
export function countAhead(line: readonly LineEntry[], id: string): number | null {
  const at = line.findIndex(({ pod }) => pod.id === id);
  return at < 0 ? null : requestsAhead(line.slice(0, at), line[at]!).length;
}
