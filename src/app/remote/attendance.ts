// One machine at an address of its own, attended for as long as its duty is this replica's: while its
// engine answers it counts as there, and what runs on it is made equal to what is wanted.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type Inventory, inventoryOf } from "../../domain/machine/inventory.ts";
import { attendDuty, type RemoteMachine } from "../../domain/machine/remote.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { StartRefused } from "../../drivers/driver.ts";
import type { OwnCounts } from "../../flows/metrics/own.ts";
import type { Attended } from "../../flows/replica/attended.ts";
import type { Duties } from "../../loops/duties.ts";
import { type Running, runLoops } from "../../loops/loop.ts";
import { presenceLoop } from "../../loops/presence.ts";
import { firstAccount } from "../../store/account/account.ts";
import { keepWayBackPort } from "../../store/replica/remote-machine.ts";
import { leaveReplica } from "../../store/replica/replica.ts";
import { ContainersDoor } from "../containers-door.ts";
import { keysFrom } from "../keys.ts";
import { machineLoops } from "../machine-loops.ts";
import type { Parts } from "../parts.ts";
import { openSite } from "./open-site.ts";
import type { Site } from "./site.ts";

export interface AttendDeps {
  parts: Parts;
  attended: Attended;
  duties: Duties;
  rhythm: Rhythm;
  /** This replica: its id, and where others reach it. */
  replica: { id: string; address: string };
  /** Hears of the turns of their loops: of all such machines together, for there may be many. */
  counts: Pick<OwnCounts, "turned">;
  /** Looks anew which machines there are. */
  look: () => Promise<void>;
  /** What the service itself listens on. */
  own: { host: string; port: number };
}

/** Returns what ends it; containers live on, unless it is no machine any more. */
export function attend(
  deps: AttendDeps,
  remote: RemoteMachine,
): (removed: boolean) => Promise<void> {
  const { parts, attended, duties, rhythm, replica } = deps;
  const { store, clock, log, ids } = parts;
  const keys = keysFrom(parts.secretKey);
  const site = openSite(parts, keys.vault, deps.own, remote);
  const originFor = wayBack(parts, site, remote);
  const sight = attended.begin(remote.id, [site.driver]);
  const counts: AttendDeps["counts"] = {
    turned: (loop, ...turn) => deps.counts.turned(`remote ${loop}`, ...turn),
  };
  const around = { clock, wakes: store.wakes, log, duties, duty: attendDuty(remote.id), counts };
  const seat = {
    id: ids.short(14),
    machine: remote.id,
    drivers: [site.driver.name],
    address: replica.address,
  };
  let working: Running | null = null;
  const presence = presenceLoop({
    ...{ store, clock, rhythm, seat, remote, replicaId: replica.id },
    answers: () => site.driver.engine.askSoon((docker) => docker.ping(), 5_000),
    async look() {
      const inventory = await lookAt(site, parts.config.catalog, remote);
      const account = await store.read(firstAccount);
      await originFor(site.driver.name, account!.id);
      return inventory;
    },
    async work(inventory) {
      await working?.stop();
      await deps.look();
      const { publicIp } = remote.offer;
      const machine = { id: remote.id, inventory, publicIp, ports: parts.config.ports };
      const loops = machineLoops({
        ...{ store, clock, log, ...keys, originFor, machine },
        protocol: parts.config.protocol,
        drivers: [site.driver],
        usage: sight.usage,
        gpuUse: () => site.gpuUse(),
      });
      working = runLoops(loops, around);
    },
  });
  const watching = runLoops([presence], around);
  return async (removed) => {
    await watching.stop();
    await working?.stop();
    attended.end(remote.id, sight);
    if (removed) await leaveNothing(parts, site, remote);
    await site.close();
    await store.write(leaveReplica, seat.id, clock.now());
  };
}

/** One that does not answer keeps what is there. */
async function leaveNothing({ log }: Parts, { driver }: Site, { id, address }: RemoteMachine) {
  await driver.clearAway().catch((err) => {
    log.warn({ err, machine: id, address }, "what ran on a machine that was removed is left there");
  });
}

async function lookAt(site: Site, catalog: Catalog, { offer }: RemoteMachine): Promise<Inventory> {
  const seen = await site.look();
  const named = Object.entries(offer.gpus).flatMap(([name, count]) =>
    Array.from({ length: count }, () => name),
  );
  const memoryOf = (name: string) =>
    catalog.gpuTypes.find(({ id }) => id === name)?.memoryInGb ?? 0;
  const gpus = named.map((name, index) => ({ index, name, memoryMb: memoryOf(name) * 1_024 }));
  const hardware = gpus.length > 0 ? { ...seen, gpus } : seen;
  const inventory = inventoryOf(catalog, hardware, offer.declared, offer.virtualGpus);
  return { ...inventory, quota: await site.driver.quota() };
}

/** Where containers there reach the service; StartRefused where they cannot. */
function wayBack(
  { config, store, clock, log }: Parts,
  { driver, ground }: Site,
  remote: RemoteMachine,
) {
  const { publicUrl } = config;
  if (ground === null) {
    return async () => {
      if (publicUrl !== null) return publicUrl;
      throw new StartRefused(
        "the machine cannot call back: it is reached by tcp://, which leads one way only; set " +
          "FREEHOLD_PUBLIC_URL to where containers reach this service",
        "no_way_back",
      );
    };
  }
  const door = new ContainersDoor({
    ...{ clock, driver, log, ground, publicUrl, wish: config.port },
    keptPort: remote.wayBackPort,
    keepPort: (port) => void store.write(keepWayBackPort, remote.id, port).catch(() => {}),
  });
  return (_driver: string, account: string) => door.originFor(account);
}
