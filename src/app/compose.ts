// Puts the house together: store, drivers, server, loops, in that order; and takes it apart again
// in the reverse one.

import type { FastifyInstance } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { ReleaseWorkload } from "../domain/endpoint/release.ts";
import { limits } from "../domain/protocol.ts";
import { type Rhythm, rhythmOf } from "../domain/replica/rhythm.ts";
import { driverOf } from "../domain/worker/placement.ts";
import type { Driver } from "../drivers/driver.ts";
import { graphqlRoutes } from "../edge/graphql/routes.ts";
import { Admission } from "../edge/http/admission.ts";
import { BodiesInFlight } from "../edge/http/in-flight.ts";
import { metricsRoutes } from "../edge/http/metrics.ts";
import { Polls } from "../edge/http/polls.ts";
import { probeRoutes } from "../edge/http/probes.ts";
import { anotherServer, openServer, type RouteRecord } from "../edge/http/server.ts";
import type { EdgeDeps } from "../edge/queue/deps.ts";
import { queueRoutes } from "../edge/queue/routes.ts";
import { replicaRoutes } from "../edge/replica/routes.ts";
import { restRoutes } from "../edge/rest-v1/routes.ts";
import { workerRoutes } from "../edge/worker/routes.ts";
import { AuditedStore } from "../flows/audit/act.ts";
import { Changes } from "../flows/change/changes.ts";
import { Directory } from "../flows/directory.ts";
import { OwnCounts } from "../flows/metrics/own.ts";
import { RateLimits } from "../flows/rate-limits.ts";
import { Attended } from "../flows/replica/attended.ts";
import { KnownMachines } from "../flows/replica/known-machines.ts";
import { Neighbours } from "../flows/replica/neighbours.ts";
import { Presence } from "../flows/worker/presence.ts";
import { autoscaleLoop } from "../loops/autoscale.ts";
import { beatLoop } from "../loops/beat.ts";
import { deliverLoop } from "../loops/deliver.ts";
import { Duties } from "../loops/duties.ts";
import { endPlansLoop } from "../loops/end-plans.ts";
import { enforceBalanceLoop } from "../loops/enforce-balance.ts";
import { enforceBudgetsLoop } from "../loops/enforce-budgets.ts";
import { expireLoop } from "../loops/expire.ts";
import { type Loop, type Running, runLoops } from "../loops/loop.ts";
import { machinesLoop } from "../loops/machines.ts";
import { meterLoop } from "../loops/meter.ts";
import { noteKeyUseLoop } from "../loops/note-key-use.ts";
import { podDeadlinesLoop } from "../loops/pod-deadlines.ts";
import { stopDisabledLoop } from "../loops/stop-disabled.ts";
import { sweepLoop } from "../loops/sweep.ts";
import { freeDuties } from "../store/replica/duty.ts";
import {
  enterReplica,
  leaveReplica,
  liveMachines,
  type Replica,
} from "../store/replica/replica.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import { keysFrom } from "./keys.ts";
import { seenFromOutside } from "./outside.ts";
import { openOwnMachine } from "./own-machine.ts";
import type { Parts } from "./parts.ts";
import { openProxying, type Proxying } from "./proxying.ts";
import { attendRemotes } from "./remote/attend-remotes.ts";
import { derived } from "./secret-key.ts";

export interface House {
  app: FastifyInstance;
  routes: RouteRecord[];
  store: Store;
  drivers: Driver[];
  polls: Polls;
  proxying: Proxying;
  replica: Omit<Replica, "address">;
  attended: Attended;
  /** Starts the product's own work; `origin` is where workers here reach the service. */
  begin(origin: string): Promise<void>;
  loops(): Running | null;
  /** Closes what only containers come through. */
  shutDoor(): Promise<void>;
  /** Tells other replicas that this one goes: what it did for all is theirs. */
  leave(): Promise<void>;
}

export async function compose(parts: Parts): Promise<House> {
  const { config, store, clock, ids, log, catalog } = parts;
  const { protocol } = config;
  const here = await openOwnMachine(parts);
  const { drivers, replica } = here;
  const keys = keysFrom(parts.secretKey);
  const { workerSecret, podKeys, vault } = keys;
  const directory = new Directory({ store, clock, podKeys });
  const polls = new Polls();
  const { rhythm, look, neighbours, driverFor, rates } = lookAround(parts, replica);
  const asked = { store, clock, ids, protocol, rates };
  const edge: EdgeDeps = {
    ...asked,
    directory,
    polls,
    presence: new Presence({ store, clock }),
    inFlight: new BodiesInFlight(limits.inFlightBytes),
  };
  const attended = new Attended();
  const { usage } = attended.begin(replica.machine, drivers);
  const sources = { attended, neighbours, polls };
  const proxying = openProxying(parts, sources);
  const { listeners, terminals } = proxying;
  const asking = { directory, neighbours, listeners, counts: new OwnCounts() };
  const { app, routes } = openServer({ ...asking, log, clock, protocol, polls });
  const another = () => anotherServer(app, listeners);
  let running: Running | null = null;
  await app.register(replicaRoutes(sources));
  await app.register(probeRoutes({ store, polls, begun: () => running !== null }));
  await app.register(metricsRoutes({ ...asked, ...asking, rhythm, loopback: config.loopback }));
  await app.register(queueRoutes(edge));
  await app.register(workerRoutes(edge));
  terminals.routes = (request, response) => app.routing(request, response);
  const rented = { rhythm, driverFor, vault, terminals, catalog, ...chosen(config) };
  const told = { ...following({ store, clock, directory }), store: new AuditedStore(store, clock) };
  const managed = { ...asked, ...sources, ...rented, ...told };
  await app.register(restRoutes(managed));
  await app.register(graphqlRoutes(managed));
  const duties = new Duties({ store, clock, rhythm, replicaId: replica.id });
  return {
    app,
    routes,
    store,
    drivers,
    polls,
    proxying,
    replica,
    attended,
    async begin(origin) {
      const entered = { ...replica, address: config.replicaUrl ?? seenFromOutside(origin, config) };
      if (store.alone) await store.write(freeDuties);
      await store.write(enterReplica, entered, clock.now());
      const own = { host: config.host, port: Number(new URL(origin).port) };
      const loops = [
        ...parts.keeping,
        beatLoop({ store, clock, rhythm, replica: entered, duties, look }),
        autoscaleLoop({ store, clock, ids, catalog, workerSecret, rhythm, replicaId: replica.id }),
        noteKeyUseLoop({ store, uses: directory.uses }),
        ...(await here.loops({ origin, own, another, keys, usage })),
        ...(await limiters(parts)),
        ...keepers(parts, rhythm),
        attendRemotes({ ...asking, parts, attended, duties, rhythm, look, replica: entered, own }),
      ];
      running = runLoops(loops, { clock, wakes: store.wakes, log, duties, counts: asking.counts });
    },
    loops: () => running,
    shutDoor: here.shutDoor,
    leave: () => store.write(leaveReplica, replica.id, clock.now()),
  };
}

/**
 * What stops things whose time or money has run out. Where that was while nobody was here, they are
 * stopped before anything is started.
 */
async function limiters({ store, clock, log, config }: Parts): Promise<Loop[]> {
  const { protocol } = config;
  const loops = [
    ...[podDeadlinesLoop, stopDisabledLoop, endPlansLoop].map((loop) => loop({ store, clock })),
    enforceBalanceLoop({ store, clock, log, protocol }),
    enforceBudgetsLoop({ store, clock, log, protocol }),
  ];
  for (const loop of loops) await loop.turn();
  return loops;
}

/** What of the operator's choices routes look at. */
function chosen(config: Config) {
  const { publicUrl, proxyDomain, introspection, drivers, driversChosen } = config;
  const processesUnasked = drivers.includes("process") && !driversChosen;
  return { publicUrl, proxyDomain, introspection, processesUnasked };
}

/** Whoever follows what changes, and for how long he may. */
function following(deps: { store: Store; clock: Clock; directory: Directory }) {
  return { changes: new Changes(deps), admission: new Admission(deps) };
}

/** What one replica does for all. */
function keepers({ store, clock, log, config, machine }: Parts, rhythm: Rhythm): Loop[] {
  const { protocol } = config;
  return [
    meterLoop({ store, clock }),
    sweepLoop({ store, clock, protocol }),
    machinesLoop({ store, clock, log, protocol, rhythm, own: machine }),
    expireLoop({ store, clock, protocol }),
    deliverLoop({ store, clock, log, protocol, reach: reachRule(config) }),
  ];
}

/** What this replica knows of the other machines, and how it talks to their replicas. */
function lookAround({ store, clock, secretKey, config }: Parts, replica: House["replica"]) {
  // Alone on its store it speaks for the machines it attends, and takes over from nobody.
  const { beatMs } = config.protocol;
  const rhythm = rhythmOf(store.alone ? 2.5 * beatMs : beatMs);
  const machines = new KnownMachines(replica);
  const look = async () =>
    machines.note(await store.read(liveMachines, clock.now() - rhythm.goneMs));
  const key = derived(secretKey, "between replicas");
  const neighbours = new Neighbours({ clock, machines, key, look });
  const driverFor = (workload: Pick<ReleaseWorkload, "driver">) => {
    const wanted = driverOf(workload, (driver) => machines.offer(driver));
    return machines.offer(wanted) ? wanted : null;
  };
  const { rateLimits } = config;
  const replicas = () => machines.replicas;
  const rates = new RateLimits({ store, clock, limits: rateLimits, replicas });
  return { rhythm, look, neighbours, driverFor, rates };
}

/** On loopback only this machine's own people submit jobs, and their receivers are here as well. */
function reachRule({ loopback, webhookAllow }: Config) {
  return { anywhere: loopback, allow: webhookAllow.map((host) => host.toLowerCase()) };
}
