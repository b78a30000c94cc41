// Creates a cluster: one commit takes the places of all its Pods and stores them as RUNNING, or nothing
// is made.

import type { Creator } from "../../domain/account.ts";
import {
  type Cluster,
  type ClusterMember,
  type ClusterType,
  memberName,
} from "../../domain/cluster/cluster.ts";
import {
  addressIn,
  freeCidr,
  freePrimaryPort,
  PRIMARY_PORT,
} from "../../domain/cluster/network.ts";
import { Fault } from "../../domain/fault.ts";
import type { Placed } from "../../domain/placement/decide.ts";
import { diskToReserve } from "../../domain/pod/compute.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { defaultTerms } from "../../domain/pod/pod-request.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import { additionOf } from "../../domain/quota/of-pod.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockFabric } from "../../store/fabric/fabric.ts";
import { membersOn, membersOver } from "../../store/pod/members.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { insertCluster } from "../../transactions/cluster/write.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { requireMembership } from "../../transactions/member/require-membership.ts";
import { spend } from "../../transactions/money/spend.ts";
import { placePodVolume } from "../../transactions/network-volume/of-pod.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { evictFrom } from "../../transactions/place/take.ts";
import { type GangPlacement, takeGang } from "../../transactions/place/take-gang.ts";
import { placeWithinQuota } from "../../transactions/place/within-quota.ts";
import { requirePublicPorts } from "../../transactions/pod/require-ports.ts";
import { coverOf, familyOf } from "../../transactions/savings-plan/cover.ts";
import { exceeds, type NewPod, type PodDeps, podAt } from "../pod/create.ts";
import { type ResolvedPod, resolveSpec } from "../pod/resolve-spec.ts";
import { throwRefusal } from "../throw-refusal.ts";

/** `request` is of one Pod; `mostPerHr` is for all. */
export interface NewCluster
  extends Pick<
    NewPod,
    keyof Creator | "name" | "labels" | "request" | "services" | "mostPerHr" | "once"
  > {
  type: ClusterType;
  podCount: number;
}

export async function createCluster(deps: PodDeps, newCluster: NewCluster): Promise<Cluster> {
  const now = deps.clock.now();
  const ids = {
    cluster: deps.ids.short(14),
    pods: Array.from({ length: newCluster.podCount }, () => deps.ids.short(14)),
  };
  return throwRefusal(deps.store.write(createClusterOnce, deps, newCluster, ids, now));
}

type GangPlaced = Extract<GangPlacement, { placed: Placed[] }>;

interface NewIds {
  cluster: string;
  /** The ids of its Pods, by rank. */
  pods: string[];
}

function* createClusterOnce(
  deps: PodDeps,
  newCluster: NewCluster,
  ids: NewIds,
  now: number,
): Tx<Cluster | Fault> {
  return yield* createOnce(newCluster.once, now, () => create(deps, newCluster, ids, now));
}

function* create(
  deps: PodDeps,
  newCluster: NewCluster,
  ids: NewIds,
  now: number,
): Tx<Cluster | Fault> {
  yield* lockPricesShared(deps.catalog);
  const former = yield* requireMembership(newCluster);
  if (former) return former;
  const resolved = yield* resolveSpec(deps, newCluster);
  if (resolved instanceof Fault) return resolved;
  const found = yield* takePlaces(deps, newCluster, resolved, now);
  if (found instanceof Fault) return found;
  const { placed } = found;
  const network = yield* networkFor(ids.cluster, resolved, found);
  if (network instanceof Fault) return network;
  const members = membersAt(deps, newCluster, { ids, resolved, placed, network }, now);
  const refusal = yield* mayNotRun(deps, newCluster, members, now);
  if (refusal) return refusal;
  yield* evictFrom(found, now);
  yield* placePodVolume(resolved.volume, placed[0]!);
  const cluster = clusterOf(newCluster, ids.cluster, members[0]!);
  yield* insertCluster(cluster, members);
  return cluster;
}

function* takePlaces(
  { heartbeatTiming }: PodDeps,
  newCluster: NewCluster,
  { spec, request, volume, driver }: ResolvedPod,
  now: number,
): Tx<GangPlaced | Fault> {
  const since = now - heartbeatTiming.goneMs;
  const search = { since, machine: null, except: null, asker: askerOf(newCluster) };
  const { podCount: count } = newCluster;
  // A network volume is on one machine, and processes have no network of their own.
  const maySpread = volume === null && driver !== "process";
  const gang = { request, count, sharedGb: diskToReserve(volume), maySpread };
  const subject = { ...newCluster, isCaller: true };
  const demand = { request, count, volumeGb: spec.volumeInGb };
  const placement = yield* placeWithinQuota(subject, demand, search, (each) =>
    takeGang(gang, each, now),
  );
  if (placement instanceof Fault || "placed" in placement) return placement;
  const detail = maySpread
    ? "All Pods of a cluster run on one machine, or on machines of one fabric."
    : "All Pods of this cluster have to run on one machine.";
  return new Fault("cluster_no_capacity", { count, room: placement.room, detail });
}

interface Network {
  fabric: string | null;
  cidr: string | null;
  addresses: string[];
  port: number;
}

/** The machines are locked, so that no other cluster gets the same range or port. */
function* networkFor(
  id: string,
  { driver }: ResolvedPod,
  { placed, fabric }: GangPlaced,
): Tx<Network | Fault> {
  const used = yield* membersOn(new Set(placed.map(({ machine }) => machine)));
  if (driver === "process") {
    const port = freePrimaryPort(used);
    const addresses = placed.map(() => "127.0.0.1");
    return port === null ? noNetwork() : { fabric, cidr: null, addresses, port };
  }
  if (fabric !== null) {
    // The engines of a fabric share the ranges, also on machines without members.
    yield* lockFabric(fabric);
    used.push(...(yield* membersOver(fabric)));
  }
  const cidr = freeCidr(used, id, fabric === null ? 1 : 2);
  if (cidr === null) return noNetwork();
  return { fabric, cidr, addresses: placed.map((_, n) => addressIn(cidr, n)), port: PRIMARY_PORT };
}

function noNetwork(): Fault {
  const detail = "The machine has no network left for another cluster; delete one first.";
  return new Fault("cluster_no_capacity", { count: 1, room: 0, detail });
}

interface Parts {
  ids: NewIds;
  resolved: ResolvedPod;
  placed: readonly Placed[];
  network: Network;
}

function membersAt(
  { catalog }: PodDeps,
  newCluster: NewCluster,
  { ids, resolved: { spec }, placed, network }: Parts,
  now: number,
): Pod[] {
  const { fabric, cidr, addresses, port: primaryPort } = network;
  const span = fabric === null ? {} : { fabric };
  const shared = { id: ids.cluster, count: placed.length, cidr, primaryPort, ...span };
  return placed.map((place, rank) => {
    const cluster: ClusterMember = {
      ...shared,
      rank,
      address: addresses[rank]!,
      primaryAddress: addresses[0]!,
    };
    const name = memberName(newCluster.name, rank);
    const pod = { ...defaultTerms, ...newCluster, id: ids.pods[rank]!, name, spec, cluster };
    return podAt(place, catalog, pod, now);
  });
}

/** The fault if the account may not have or pay for all members, or null. */
function* mayNotRun(
  deps: PodDeps,
  { accountId, mostPerHr = null }: NewCluster,
  members: readonly Pod[],
  now: number,
): Tx<Fault | null> {
  const [first] = members as [Pod];
  const { id, desired, pricing, placement } = first;
  const gpuCount = placement.gpus.length * members.length;
  const coveredGpus = yield* coverOf(familyOf(first), gpuCount, now);
  const cost = pricing.cost * members.length;
  const ahead = paidAhead({ cost, coveredGpus }, gpuCount);
  const rate = pricing.runningRate * members.length - ahead;
  const ports = { accountId, id, spec: desired.spec };
  return (
    (yield* requirePublicPorts(deps.portLimits, ports, members.length)) ??
    exceeds(cost, mostPerHr) ??
    (yield* spend(
      { ...first, isCaller: true },
      { rate, adds: additionOf(first, members.length) },
      now,
    ))
  );
}

function clusterOf(
  { accountId, name, type, podCount }: NewCluster,
  id: string,
  { cluster, desired: { spec }, placement, createdAt }: Pod,
): Cluster {
  return {
    id,
    accountId,
    name,
    type,
    gpuTypeId: placement.gpuTypeId!,
    gpuCountPerPod: spec.gpuCount,
    podCount,
    templateId: spec.templateId,
    cidr: cluster!.cidr,
    createdAt,
  };
}
