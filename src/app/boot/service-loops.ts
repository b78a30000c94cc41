// The loops of a replica: those that one replica runs for all, its own, and those of the machines that it manages.

import type { Server } from "node:http";
import { UNLIMITED_MS } from "../../config/clock-config.ts";
import { reachRule } from "../../config/reach/reach-rule.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { AuthCache } from "../../flows/auth-cache.ts";
import type { FlashArchives } from "../../flows/flash-app/archives.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import type { PodDeps } from "../../flows/pod/create.ts";
import type { LocalMachine } from "../../flows/replica/local-drivers.ts";
import type { StorageQuota } from "../../flows/storage-quota.ts";
import type { Keys } from "../../installation/derived-keys.ts";
import { endReplaced } from "../../installation/machine-holder.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { noteKeyUseLoop } from "../../loops/engine/record-key-use.ts";
import { batchesLoop } from "../../loops/jobs/batches.ts";
import { bulkOperationsLoop } from "../../loops/jobs/bulk-operations.ts";
import { deliverJobsLoop } from "../../loops/jobs/deliver.ts";
import { deliverBatchesLoop } from "../../loops/jobs/deliver-batches.ts";
import { expireLoop } from "../../loops/jobs/expire.ts";
import { releaseLoop } from "../../loops/jobs/release.ts";
import { scheduleLoop } from "../../loops/jobs/schedule.ts";
import { sweepLoop } from "../../loops/jobs/sweep.ts";
import { trimArchivesLoop } from "../../loops/jobs/trim-archives.ts";
import { heartbeatLoop } from "../../loops/machines/heartbeat.ts";
import { machinesLoop } from "../../loops/machines/lose-machines.ts";
import { sweepFlashArchivesLoop } from "../../loops/machines/sweep-flash-archives.ts";
import { endPlansLoop } from "../../loops/money/end-plans.ts";
import { enforceBalanceLoop } from "../../loops/money/enforce-balance.ts";
import { enforceBudgetsLoop } from "../../loops/money/enforce-budgets.ts";
import { meterLoop } from "../../loops/money/meter.ts";
import { stopDisabledLoop } from "../../loops/money/stop-disabled.ts";
import { deliverNotificationsLoop } from "../../loops/notifications/deliver.ts";
import { digestLoop } from "../../loops/notifications/digest.ts";
import { watchEndpointsLoop } from "../../loops/notifications/watch-endpoints.ts";
import { announceReservationsLoop } from "../../loops/pods/announce-reservations.ts";
import { foldGpuUseLoop } from "../../loops/pods/fold-gpu-use.ts";
import { podDeadlinesLoop } from "../../loops/pods/pod-deadlines.ts";
import { releaseUnusedReservationsLoop } from "../../loops/pods/release-unused-reservations.ts";
import { startQueuedLoop } from "../../loops/pods/start-queued.ts";
import { sandboxLimitsLoop } from "../../loops/sandboxes/sandbox-limits.ts";
import { checkSignInsLoop } from "../../loops/sign-ins/check-sign-ins.ts";
import { autoscaleLoop } from "../../loops/workers/autoscale.ts";
import { expireLoadsLoop } from "../../loops/workers/expire-loads.ts";
import type { Replica } from "../../store/replica/replica.ts";
import type { OpenMachine } from "../machine/own-machine.ts";
import { manageRemotes } from "../remote/manage-remotes.ts";
import type { ManageDeps } from "../remote/managed-machine.ts";
import type { Parts } from "../service-parts.ts";
import { aroundWebhook } from "../trouble/around-webhook.ts";
import { followTroublesLoop } from "../trouble/open-troubles.ts";
import { skewedTime } from "../trouble/skew-clock.ts";
import type { S3Interface } from "./s3.ts";

interface LoopDeps
  extends Omit<KeeperDeps, "isHere">,
    Omit<ManageDeps, "parts" | "containersServer" | "metrics"> {
  here: OpenMachine;
  local: LocalMachine;
  keys: Keys;
  s3: S3Interface;
  authCache: AuthCache;
  /** This replica, as the others see it. */
  replica: Replica;
  /** The URL at which processes of this machine reach the service. */
  origin: string;
  /** The address that the service listens on. */
  own: { host: string; port: number; isTls: boolean };
  /** Creates a server that answers as the main one does. */
  another: () => Server;
}

export async function serviceLoops(parts: Parts, deps: LoopDeps): Promise<Loop[]> {
  const { store, clock, ids, catalog } = parts;
  const { here, keys, s3, authCache, heartbeatTiming, leaderships, replica, another } = deps;
  const shared = { ...here.faultRules, store, clock, heartbeatTiming, leaderships };
  const { refreshMachines } = deps;
  const onReplaced = () => endReplaced(parts.log, parts.machine, parts.config.dataFolder);
  const { workerSecret } = keys;
  return [
    ...parts.keeping,
    heartbeatLoop({ ...shared, replica, refreshMachines, onReplaced }),
    autoscaleLoop({ ...shared, ids, catalog, workerSecret, replicaId: replica.id }),
    noteKeyUseLoop({ store, uses: authCache.uses, s3Uses: s3.uses }),
    ...(await here.loops(deps)),
    ...(await limiters(parts)),
    ...keepers(parts, { ...here.faultRules, ...deps }),
    ...notifiers(parts, keys.vault),
    manageRemotes({ ...deps, parts, containersServer: another }),
  ];
}

/**
 * The loops that stop what has run out of time or money. Each has run once before anything starts, for deadlines that passed while the service was down.
 */
async function limiters({ store, clock, log, config, steps }: Parts): Promise<Loop[]> {
  steps.enter("ends what has run out of time or money");
  const { protocol } = config;
  const loops = [
    ...[podDeadlinesLoop, sandboxLimitsLoop, stopDisabledLoop, endPlansLoop].map((loop) =>
      loop({ store, clock }),
    ),
    enforceBalanceLoop({ store, clock, log, protocol }),
    enforceBudgetsLoop({ store, clock, log, protocol }),
  ];
  for (const loop of loops) await loop.run();
  return loops;
}

interface KeeperDeps {
  heartbeatTiming: HeartbeatTiming;
  flashArchives: FlashArchives;
  storageQuota: StorageQuota;
  metrics: ProcessMetrics;
  isHere: (machine: string) => boolean;
  driverFor: PodDeps["driverFor"];
}

/** The loops that one replica runs for all, and one that each runs on its own archives. */
function keepers(
  { store, clock, ids, log, catalog, config, localTrust, tracer, virtualTime, troubles }: Parts,
  { heartbeatTiming, flashArchives, storageQuota, metrics, isHere, driverFor }: KeeperDeps,
): Loop[] {
  const { protocol, portLimits, officialTemplates } = config;
  const podRules = { driverFor, portLimits, officialTemplates };
  const { unusedMinutes } = config.reservationLimits;
  // Under a virtual clock there is one machine, and its heartbeats are far apart.
  const lossless = virtualTime ? { ...protocol, machineLostMs: UNLIMITED_MS } : protocol;
  const delivery = {
    store,
    clock,
    log,
    protocol,
    reach: reachRule(config, localTrust),
    around: aroundWebhook({ clock, virtualTime, troubles }),
  };
  return [
    ...(troubles ? [followTroublesLoop(troubles)] : []),
    ...[meterLoop, expireLoadsLoop, releaseLoop, bulkOperationsLoop].map((loop) =>
      loop({ store, clock }),
    ),
    announceReservationsLoop({ store, clock, heartbeatTiming }),
    ...(unusedMinutes === null
      ? []
      : [releaseUnusedReservationsLoop({ store, clock, heartbeatTiming, unusedMinutes })]),
    foldGpuUseLoop({ store, clock, shareHalfLifeMs: config.shareHalfLifeMs }),
    startQueuedLoop({ store, clock, ids, catalog, heartbeatTiming, ...podRules }),
    sweepFlashArchivesLoop({ store, clock, flashArchives }),
    sweepLoop({ store, clock, protocol }),
    machinesLoop({ store, clock, log, heartbeatTiming, protocol: lossless, isHere }),
    expireLoop({ store, clock, ids, protocol }),
    batchesLoop({ store, clock, ids, protocol, tracer }),
    scheduleLoop({ store, clock, ids, protocol, storageQuota, tracer, metrics }),
    trimArchivesLoop({ store, clock, storagePerAccount: config.storagePerAccount }),
    deliverJobsLoop({ ...delivery, timeFor: skewedTime({ clock, troubles }) }),
    deliverBatchesLoop(delivery),
  ];
}

/** The loops that tell accounts of their events, and the sign-in provider of their sessions. */
function notifiers(
  { store, clock, ids, log, config, localTrust, virtualTime, provider }: Parts,
  vault: Keys["vault"],
): Loop[] {
  const { protocol, mail, publicUrl } = config;
  const reach = reachRule(config, localTrust);
  return [
    watchEndpointsLoop({ store, clock }),
    digestLoop({ store, clock, ids, protocol }),
    checkSignInsLoop({ store, clock, log, vault, protocol, provider }),
    deliverNotificationsLoop({
      store,
      clock,
      log,
      protocol,
      reach,
      vault,
      mail,
      publicUrl,
      around: aroundWebhook({ clock, virtualTime, troubles: null }),
    }),
  ];
}
