// The composition of the service: store, drivers, server, loops, opened in that order and closed in
// the reverse one.

import type { Server } from "node:http";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { Vault } from "../../base/vault.ts";
import { UNLIMITED_MS } from "../../config/clock-config.ts";
import type { Config } from "../../config/config.ts";
import { seenFromOutside } from "../../config/network/public-address.ts";
import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import { driverOfRemote } from "../../domain/machine/remote.ts";
import { limits } from "../../domain/protocol.ts";
import { heartbeatTimingOf } from "../../domain/replica/heartbeat-timing.ts";
import { driverOf, driverOfNew } from "../../domain/worker/placement.ts";
import type { Driver } from "../../drivers/driver.ts";
import { consolePages } from "../../edge/console/responses.ts";
import type { BodyRooms } from "../../edge/http/body/receive.ts";
import { Polls } from "../../edge/http/held-requests.ts";
import type { InboundRequest } from "../../edge/http/plain/exchange.ts";
import { BodyRoom } from "../../edge/http/request/body-room.ts";
import type { PlainRoutes } from "../../edge/http/routes/plain-routes.ts";
import { containersServer, openServer, type RouteRecord } from "../../edge/http/server.ts";
import { restV2Errors } from "../../edge/rest-v2/serve/error-form.ts";
import type { SshServer } from "../../edge/ssh/ssh-server.ts";
import { isQuiet } from "../../edge/trouble/strike-requests.ts";
import { AuthCache } from "../../flows/auth-cache.ts";
import { FlashArchives } from "../../flows/flash-app/archives.ts";
import { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { RateLimits } from "../../flows/rate-limits.ts";
import { KnownMachines } from "../../flows/replica/known-machines.ts";
import { LocalDrivers } from "../../flows/replica/local-drivers.ts";
import type { LogSources } from "../../flows/replica/log-source.ts";
import { PeerClient } from "../../flows/replica/peer-client.ts";
import { StorageQuota } from "../../flows/storage-quota.ts";
import { Presence } from "../../flows/worker/presence.ts";
import { keysFrom } from "../../installation/derived-keys.ts";
import { noteHolder } from "../../installation/machine-holder.ts";
import { derived } from "../../installation/secret-key.ts";
import { Leaderships } from "../../loops/engine/leadership.ts";
import { type Running, runLoops } from "../../loops/engine/loop.ts";
import type { Store } from "../../store/engine/store.ts";
import { releaseLeaderships } from "../../store/leadership/leadership.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { liveMachines, type Replica, upsertReplica } from "../../store/replica/replica.ts";
import { enterReplica, leaveReplica } from "../../transactions/replica/membership.ts";
import { openOwnMachine } from "../machine/own-machine.ts";
import type { Parts } from "../service-parts.ts";
import { openProxying, type Proxying } from "./proxy-handlers.ts";
import { registerRoutes } from "./routes.ts";
import { openS3, s3UrlOf } from "./s3.ts";
import { serviceLoops } from "./service-loops.ts";
import { openSsh, sshAddressOf } from "./ssh.ts";

export interface Service {
  app: FastifyInstance;
  plainRoutes: PlainRoutes;
  routes: RouteRecord[];
  store: Store;
  drivers: Driver[];
  /** Why the engine of this machine is left out; null if it is used, or if there is none. */
  engineProblem: string | null;
  polls: Polls;
  proxying: Proxying;
  /** The server of the S3 interface, which listens if it is on. */
  s3Server: Server;
  /** The SSH server for Pods, which listens if it is on. */
  sshServer: SshServer;
  replica: Omit<Replica, "address">;
  localDrivers: LocalDrivers;
  /** Starts the loops; `origin` is where workers of this machine reach the service. */
  begin(origin: string): Promise<void>;
  loops(): Running | null;
  /** Closes the listeners that only containers reach. */
  closeGateway(): Promise<void>;
  /** Hands over to the other replicas: releases what this one leads and manages. */
  leave(): Promise<void>;
}

export async function compose(parts: Parts): Promise<Service> {
  const { config, store, clock, log } = parts;
  const here = await openOwnMachine(parts);
  const { drivers, replica } = here;
  const keys = keysFrom(parts.secretKey);
  const { podKeys, vault } = keys;
  const authCache = new AuthCache({ store, clock, podKeys });
  const [polls, localDrivers, metrics] = [new Polls(), new LocalDrivers(), metricsOf(parts)];
  const { heartbeatTiming, refreshMachines, peers, driverRules, rates } = knowPeers(parts, replica);
  const local = localDrivers.begin(replica.machine, drivers);
  const common = { authCache, metrics, polls, localDrivers, peers };
  const servers = openServers(parts, { ...common, vault, replicaId: replica.id });
  const { app, plainRoutes, listeners, routes, proxying, s3, sshServer } = servers;
  const storageQuota = new StorageQuota(parts, config.storagePerAccount);
  let running: Running | null = null;
  const leaderships = new Leaderships({ store, clock, heartbeatTiming, replicaId: replica.id });
  const shared = {
    ...common,
    heartbeatTiming,
    storageQuota,
    ...openArchives(parts, peers),
    ...driverRules,
  };
  await registerRoutes({ app, plainRoutes }, parts, {
    ...parts,
    ...shared,
    protocol: config.protocol,
    ...proxying,
    vault,
    rates,
    presence: new Presence(parts),
    bodyRooms: openBodyRooms(parts, metrics),
    s3: s3.deps,
    checkCluster: async (cluster) =>
      (await import("../remote/open-cluster.ts")).checkCluster(parts, cluster),
    drivers,
    ...clientAddresses(config, { sshServer, s3Server: s3.server }),
    starting: () => (running === null ? parts.steps.current : null),
  });
  const another = () => containersServer(app, listeners);
  const loopDeps = { ...shared, here, local, keys, s3, leaderships, refreshMachines, another };
  return {
    app,
    plainRoutes,
    routes,
    store,
    drivers,
    polls,
    proxying,
    sshServer,
    replica,
    localDrivers,
    s3Server: s3.server,
    engineProblem: here.engineProblem,
    async begin(origin) {
      const address = config.replicaUrl ?? seenFromOutside(origin, config);
      const entered = await enter(parts, { ...replica, address });
      const own = ownAddress(config, origin);
      const loops = await serviceLoops(parts, { ...loopDeps, replica: entered, origin, own });
      parts.localTrust.onForwarded(() => void withdrawProcesses(parts, entered));
      running = runLoops(loops, { clock, notifier: store.notifier, log, leaderships, metrics });
    },
    loops: () => running,
    closeGateway: here.closeGateway,
    leave: () => store.write(leaveReplica, replica.id, clock.now()),
  };
}

interface ServerParts extends LogSources {
  authCache: AuthCache;
  metrics: ProcessMetrics;
  polls: Polls;
  vault: Vault;
  replicaId: string;
}

/** What listens: the service's own server with the proxy and the balancer in it, the S3 interface, and SSH. */
function openServers(parts: Parts, deps: ServerParts) {
  const { protocol, hstsSeconds } = parts.config;
  const { localDrivers, peers } = deps;
  const proxying = openProxying({ ...parts, ...deps }, { localDrivers, peers });
  const server = openServer({
    ...parts,
    ...deps,
    protocol,
    hstsSeconds,
    errorForm: restV2Errors,
    listeners: proxying.listeners,
    passesHooks: hooksPassedBy(parts),
    webPages: consolePages,
  });
  proxying.terminals.routes = (request, response) => server.app.routing(request, response);
  const s3 = openS3(parts, { ...deps, listeners: server.listeners });
  return { ...server, proxying, s3, sshServer: openSsh(parts, { localDrivers, peers }) };
}

async function enter({ config, store, clock, steps }: Parts, replica: Replica): Promise<Replica> {
  steps.enter("registers its machine");
  if (store.alone) await store.write(releaseLeaderships);
  await store.write(enterReplica, replica, clock.now());
  noteHolder(config.dataFolder, replica.id);
  return replica;
}

const ownAddress = ({ host, tls }: Config, origin: string) => ({
  host,
  port: Number(new URL(origin).port),
  isTls: tls !== null,
});

/** Virtual time and faults for tests are hooks of Fastify. */
const hooksPassedBy =
  ({ virtualTime, troubles }: Parts) =>
  (request: InboundRequest): boolean =>
    virtualTime === null && (troubles === null || isQuiet(troubles, request));

/** Where clients reach the listeners beside the service's, once they listen. */
const clientAddresses = (
  config: Config,
  { sshServer, s3Server }: Pick<Service, "sshServer" | "s3Server">,
) => ({
  sshAddress: () => sshAddressOf(sshServer, config),
  s3Url: () => s3UrlOf(s3Server, config),
});

/** Starts no further processes on this machine, unless the operator enabled them explicitly. */
async function withdrawProcesses({ config, store, clock }: Parts, own: Replica): Promise<void> {
  const at = own.drivers.indexOf("process");
  if (at < 0 || config.driversChosen) return;
  own.drivers.splice(at, 1);
  await store.write(upsertReplica, own, clock.now());
}

function metricsOf({ store, certificate, failedOrders }: Parts): ProcessMetrics {
  const metrics = new ProcessMetrics(store.commits);
  metrics.exportDiskFull(() => store.isFull);
  if (certificate) metrics.exportCertificate(certificate, failedOrders);
  return metrics;
}

/** The other replicas as this one knows them, and what it derives from that. */
function knowPeers(parts: Parts, replica: Service["replica"]) {
  const { store, clock, secretKey, config, virtualTime } = parts;
  // A replica alone on its store manages every machine and takes over from no other.
  const { heartbeatMs } = config.protocol;
  const heartbeatTiming = {
    ...heartbeatTimingOf(store.alone ? 2.5 * heartbeatMs : heartbeatMs),
    // Between two instants of a virtual clock there are no heartbeats.
    ...(virtualTime && { leaseMs: UNLIMITED_MS, goneMs: UNLIMITED_MS }),
  };
  const machines = new KnownMachines(replica);
  const refreshMachines = async () => {
    machines.note(await store.read(liveMachines, clock.now() - heartbeatTiming.goneMs));
    machines.noteRemotes((await store.read(remoteMachines)).map(driverOfRemote));
  };
  const key = derived(secretKey, "between replicas");
  const peers = new PeerClient({ clock, machines, key, refreshMachines });
  const offer = (name: string) => machines.offer(name);
  const ifOffered = (name: string) => (offer(name) ? name : null);
  const driverRules = {
    driverFor: (workload: { driver: string | null }) => ifOffered(driverOfNew(workload, offer)),
    driverOfRelease: (workload: Pick<ReleaseWorkload, "driver">) =>
      ifOffered(driverOf(workload, offer)),
  };
  const replicas = () => machines.replicas;
  const rates = new RateLimits({ store, clock, limits: config.rateLimits, replicas });
  return { heartbeatTiming, refreshMachines, peers, driverRules, rates };
}

/** The archives of Flash builds in the data folder, and those of the other replicas. */
function openArchives({ store, config, secretKey }: Parts, peers: PeerClient) {
  const folder = path.join(config.dataFolder, "flash");
  const flashArchives = new FlashArchives(folder, derived(secretKey, "flash"));
  return { flashArchives, sharedArchives: new SharedArchives({ store, flashArchives, peers }) };
}

/** The room for request bodies, which the metrics export. */
function openBodyRooms({ clock, config }: Parts, metrics: ProcessMetrics): BodyRooms {
  const clients = new BodyRoom(limits.clientRoomBytes);
  const workers = new BodyRoom(limits.workerRoomBytes);
  metrics.exportBodyBytes(() => ({ clients: clients.bytes, workers: workers.bytes }));
  return { clock, clients, workers, waitMs: config.protocol.postHoldMs };
}
