// The line as it stands: who waits, and what could run each request.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type Grouped, groupOf, shareOrder } from "../../domain/gpu-use/share-order.ts";
import type { Place } from "../../domain/placement/place.ts";
import { gpusOf } from "../../domain/placement/request.ts";
import { requestOf, unofferedOf } from "../../domain/pod/compute.ts";
import {
  type InLine,
  isAllowed,
  placesFor,
  requestsAhead,
  type Waiter,
} from "../../domain/queued-pod/line.ts";
import type { QueuedPod } from "../../domain/queued-pod/queued-pod.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import { projectsOfMembers } from "../../store/project/project.ts";
import { waitingPods } from "../../store/queued-pod/queued-pod.ts";
import { quotasOf } from "../../store/quota/quota.ts";
import { readTurns } from "../../transactions/gpu-use/shares.ts";
import { readUnfilled } from "../../transactions/place/claims.ts";
import { readEntitled } from "../../transactions/place/guaranteed.ts";
import { emptyPlaces } from "../../transactions/place/places.ts";
import { ruledOutFor } from "../../transactions/quota/require-quota.ts";

export interface LineDeps {
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
}

export interface LineEntry extends Waiter {
  pod: QueuedPod;
}

interface WaitingRequests {
  line: LineEntry[];
  /** The requests for what the catalog offers no more. They hold up no other, and leave when they are tried. */
  unoffered: QueuedPod[];
}

/** All requests that wait, in their order. */
export function* readWaiting(deps: LineDeps, now: number): Tx<WaitingRequests> {
  const { line, unoffered } = yield* readRequests(deps, now, null);
  return { line: yield* inShareOrder(line, now), unoffered };
}

/** The oldest first. However many they are, it reads each account, project and volume once. */
function* readRequests(
  deps: LineDeps,
  now: number,
  places: readonly Place[] | null,
): Tx<WaitingRequests> {
  const pods = yield* waitingPods();
  const { offered = [], unoffered = [] } = Object.groupBy(pods, ({ spec }) =>
    unofferedOf(deps.catalog, spec) === null ? "offered" : "unoffered",
  );
  if (offered.length === 0) return { line: [], unoffered };
  const inLines = yield* inLine(deps, offered, places ?? (yield* knownPlaces(deps, now)), now);
  const line = offered.map((pod, n) => ({ ...inLines[n]!, pod, waiting: pod.waiting }));
  return { line, unoffered };
}

export function* readLine(deps: LineDeps, now: number): Tx<LineEntry[]> {
  return (yield* readWaiting(deps, now)).line;
}

/** The requests that come before one that would enter the line. `places` are the known places. */
export function* readEarlier(
  deps: LineDeps,
  now: number,
  places: readonly Place[],
  later: InLine,
): Tx<LineEntry[]> {
  const { line } = yield* readRequests(deps, now, places);
  const all = yield* inShareOrder<LineEntry | InLine>([...line, later], now);
  const isEntry = (each: LineEntry | InLine): each is LineEntry => each !== later;
  return all.slice(0, all.indexOf(later)).filter(isEntry);
}

/** Requests of several projects take turns by what these have used. */
function* inShareOrder<Each extends InLine>(requests: readonly Each[], now: number): Tx<Each[]> {
  const groups = new Set(requests.map((each) => groupedOf(each).group));
  if (groups.size < 2) return [...requests];
  return shareOrder(requests, groupedOf, yield* readTurns(now));
}

const groupedOf = ({ accountId, projectId, request: { compute } }: InLine): Grouped => ({
  group: groupOf(accountId, projectId),
  gpus: compute.kind === "GPU" ? gpusOf(compute) : 0,
});

/** Known machines as if nothing ran on them. */
export function* knownPlaces({ heartbeatTiming }: LineDeps, now: number): Tx<Place[]> {
  return yield* emptyPlaces(now - heartbeatTiming.goneMs, now);
}

type Candidate = Pick<QueuedPod, "accountId" | "owner" | "spec" | "driver">;

/** In the order of the candidates. */
export function* inLine(
  { catalog }: LineDeps,
  candidates: readonly Candidate[],
  places: readonly Place[],
  now: number,
): Tx<InLine[]> {
  const accounts = unique(candidates.map(({ accountId }) => accountId));
  const quotas = yield* readEach(accounts, quotasOf);
  const projects = yield* projectsOfMembers(unique(candidates.map(({ owner }) => owner?.id)));
  const volumeIds = unique(candidates.map(({ spec }) => spec.networkVolumeId));
  const volumes = yield* readEach(volumeIds, findVolume);
  const entitledOf = yield* readEntitled(now);
  const unfilledFor = yield* readUnfilled(now);
  const placesOnce = new Map<string, ReadonlySet<string>>();
  return candidates.map(({ accountId, owner, spec, driver }) => {
    const ownerId = owner?.id ?? null;
    const projectId = (ownerId && projects.get(ownerId)) ?? null;
    const volume = volumes.get(spec.networkVolumeId ?? "") ?? null;
    const request = requestOf(catalog, spec, driver, volume);
    const gpus = request.compute.kind === "GPU" ? request.compute.count : 0;
    const ruledOut = ruledOutFor(quotas.get(accountId) ?? null, { ownerId, projectId }, gpus);
    const key = JSON.stringify([request, ruledOut]);
    const fitting = placesOnce.get(key) ?? placesFor(request, places, ruledOut);
    placesOnce.set(key, fitting);
    return {
      accountId,
      ownerId,
      projectId,
      request,
      volumeInGb: spec.volumeInGb,
      isAllowed: isAllowed(request, ruledOut),
      places: fitting,
      reserved: unfilledFor({ accountId, memberId: ownerId }),
      entitled: request.spot ? new Set<string>() : entitledOf({ accountId, projectId }, gpus),
    };
  });
}

const unique = (ids: readonly (string | null | undefined)[]) => [
  ...new Set(ids.filter((id) => id != null)),
];

function* readEach<Value>(ids: readonly string[], read: (id: string) => Tx<Value>) {
  const values = new Map<string, Value>();
  for (const id of ids) values.set(id, yield* read(id));
  return values;
}

/** How many requests come before it; null if it is not in the line. */
export function countAhead(line: readonly LineEntry[], id: string): number | null {
  const at = line.findIndex(({ pod }) => pod.id === id);
  return at < 0 ? null : requestsAhead(line.slice(0, at), line[at]!).length;
}
