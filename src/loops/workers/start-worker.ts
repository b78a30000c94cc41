// Starts one worker while this replica leads. An account that finds no room may be handed a place of one that holds more.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Release } from "../../domain/endpoint/release.ts";
import type { Contender } from "../../domain/placement/fair-share.ts";
import { additionOfWorker, expectedShare, type WorkerShare } from "../../domain/quota/of-worker.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { servingOf } from "../../domain/serving/serving.ts";
import type { Allocation, WorkerRequest } from "../../domain/worker/worker.ts";
import { holdAccount } from "../../store/account/account.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { holdsLeadership } from "../../store/leadership/leadership.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { scaledWorkers } from "../../store/worker/worker.ts";
import { spend } from "../../transactions/money/spend.ts";
import {
  machinesMounting,
  placeWorkerVolume,
} from "../../transactions/network-volume/of-worker.ts";
import { type EndpointFleet, handOver } from "../../transactions/place/hand-over.ts";
import { askerOf, type SearchFor } from "../../transactions/place/reserved.ts";
import { evictFrom } from "../../transactions/place/take.ts";
import { placeForWorker, type WorkerPlace } from "../../transactions/place/worker.ts";
import { exhaustedForWorker } from "../../transactions/quota/require-quota.ts";
import { insertWorker } from "../../transactions/worker/insert.ts";

/** The name of the loop that starts workers, and of its leadership. */
export const AUTOSCALE = "autoscale";

export interface WorkerStartDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  catalog: Catalog;
  /** The secret of a worker, derived from its id. */
  workerSecret: (workerId: string) => string;
  heartbeatTiming: HeartbeatTiming;
  replicaId: string;
  /** True if a fault keeps the endpoint from any machine. */
  isThrottled: (endpointId: string) => boolean;
}

/** An endpoint that lacks workers. */
export interface Lack extends EndpointFleet {
  start: number;
  oldestWaitingMs: number | null;
}

export interface Lacking extends Contender, Lack {
  release: Release;
  driver: string;
}

export type Fleets = ReadonlyMap<string, EndpointFleet>;

/** What the started worker holds, or why none started. */
type Outcome = Allocation | "not leading" | "no room" | "not allowed" | "handed over";

export function* startWorker(
  deps: WorkerStartDeps,
  lacking: Lacking,
  fleets: Fleets,
  { since, now }: { since: number; now: number },
): Tx<Outcome> {
  const { catalog } = deps;
  if (!(yield* holdsLeadership(AUTOSCALE, deps.replicaId))) return "not leading";
  const { endpoint, release } = lacking;
  const { networkVolumeIds } = release.workload;
  const among = yield* machinesMounting(networkVolumeIds);
  const searchAll = {
    since,
    machine: null,
    except: null,
    among,
    asker: askerOf(endpoint),
    at: now,
  };
  yield* lockPricesShared(catalog);
  const exceptGpuTypes = yield* exhaustedForWorker(endpoint);
  const search = { ...searchAll, exceptGpuTypes };
  const place = yield* placeWithinTypes(deps, lacking, search);
  if (place === null) {
    // A version whose workers fail may not cost another account its workers.
    if (lacking.fleet.backOff.verdict !== "ok") return "no room";
    // Neither may one that cannot pay for the place.
    const share = expectedShare(catalog, endpoint.spec, exceptGpuTypes);
    if (!(yield* mayRun(endpoint, share, now))) return "not allowed";
    const drained = yield* handOver(catalog, lacking, search, fleets);
    return drained > 0 ? "handed over" : "no room";
  }
  if (!(yield* mayRun(endpoint, place.allocation, now))) return "not allowed";
  if (!(yield* placeWorkerVolume(networkVolumeIds, place.machine))) return "no room";
  yield* evictFrom(place, now);
  const { worker, keyHash } = newWorker(deps, lacking);
  const { machine, driver: itsDriver, allocation } = place;
  yield* insertWorker({ ...worker, machine, driver: itsDriver }, keyHash, now, allocation);
  return allocation;
}

/** On GPUs of a type that the search does not leave out, if there is room on one. */
function* placeWithinTypes(
  { catalog }: WorkerStartDeps,
  { endpoint, driver }: Lacking,
  search: SearchFor & { exceptGpuTypes: readonly string[] },
): Tx<WorkerPlace | null> {
  const { spec } = endpoint;
  const place = yield* placeForWorker(catalog, spec, driver, search);
  if (place !== null || search.exceptGpuTypes.length === 0) return place;
  return yield* placeForWorker(catalog, spec, driver, { ...search, exceptGpuTypes: [] });
}

/**
 * The first worker of a release starts as long as credits are left, so that the last of them can be used. Workers that
 * drain or run an earlier release are on their way out.
 */
function* mayRun(
  { id, version, accountId }: Endpoint,
  allocation: WorkerShare,
  now: number,
): Tx<boolean> {
  yield* holdAccount(accountId);
  // Its owner, its labels and its release may have changed since the pass read it.
  const current = yield* findEndpoint(id);
  if (current?.version !== version) return false;
  const { owner, keyId, labels } = current;
  const { rate } = allocation;
  const workers = rate > 0 ? yield* scaledWorkers(id) : [];
  const isFurther = workers.some((each) => each.desired === "run" && each.version === version);
  const payer = { accountId, owner, keyId, endpointId: id, labels };
  const adds = additionOfWorker(allocation);
  return (yield* spend(payer, { ...(isFurther && { rate }), adds }, now)) === null;
}

function newWorker({ ids, workerSecret }: WorkerStartDeps, { endpoint, release }: Lacking) {
  const id = ids.short(14);
  const serving = endpoint.spec.type === "LB" ? servingOf(release.workload.env) : null;
  const worker: Omit<WorkerRequest, "machine" | "driver"> = {
    id,
    endpointId: endpoint.id,
    version: endpoint.version,
    serving,
  };
  return { worker, keyHash: hashSecret(workerSecret(id)) };
}
