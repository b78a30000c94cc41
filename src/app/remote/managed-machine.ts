// One remote machine, managed for as long as this replica holds its leadership: it counts as online
// while its engine answers, and its loops reconcile what runs there.

import type { Server } from "node:http";
import type { Clock } from "../../base/clock.ts";
import { MB_PER_GB } from "../../base/units.ts";
import { type Inventory, inventoryOf } from "../../domain/machine/inventory.ts";
import { manageLeadership, type RemoteMachine } from "../../domain/machine/remote.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { MachineFirewall, removeRules } from "../../drivers/docker/network/firewall.ts";
import { StartRefused } from "../../drivers/driver.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import type { LocalDrivers } from "../../flows/replica/local-drivers.ts";
import { type Keys, keysFrom } from "../../installation/derived-keys.ts";
import type { Leaderships } from "../../loops/engine/leadership.ts";
import { type Loop, type Running, runLoops } from "../../loops/engine/loop.ts";
import { presenceLoop } from "../../loops/machines/presence.ts";
import { setMigLayoutsLoop } from "../../loops/machines/watch/set-mig-layouts.ts";
import { testGpusLoop } from "../../loops/machines/watch/test-gpus.ts";
import { watchGpusLoop } from "../../loops/machines/watch/watch-gpus.ts";
import { watchKernelLogLoop } from "../../loops/machines/watch/watch-kernel-log.ts";
import { firstAccount } from "../../store/account/account.ts";
import { setCallbackPort } from "../../store/remote-machine/remote-machine.ts";
import { observeGpus } from "../../transactions/machine/gpus/observe-gpus.ts";
import { leaveReplica } from "../../transactions/replica/membership.ts";
import { ContainerGateway } from "../machine/container-gateway.ts";
import { type MachineDeps, machineLoops } from "../machine/machine-loops.ts";
import type { RemoteHost } from "../machine/remote-host.ts";
import type { Parts } from "../service-parts.ts";
import { openRemoteHost } from "./open-remote-host.ts";
import { remoteIntercept } from "./remote-intercept.ts";

export interface ManageDeps {
  parts: Parts;
  localDrivers: LocalDrivers;
  leaderships: Leaderships;
  heartbeatTiming: HeartbeatTiming;
  /** This replica: its id, and the address at which others reach it. */
  replica: { id: string; address: string };
  /** Records the passes of these loops, for all remote machines together. */
  metrics: Pick<ProcessMetrics, "recordPass">;
  sharedArchives: SharedArchives;
  /** Reads the list of machines again. */
  refreshMachines: () => Promise<void>;
  /** Creates a server that answers as the main one does. */
  containersServer: () => Server;
}

/**
 * Returns a function that stops managing it. Containers keep running unless the machine was
 * removed.
 */
export function manage(
  deps: ManageDeps,
  remote: RemoteMachine,
): (removed: boolean) => Promise<void> {
  const { parts, localDrivers, leaderships, heartbeatTiming, replica } = deps;
  const { store, clock, log, ids } = parts;
  const keys = keysFrom(parts.secretKey);
  const remoteHost = openRemoteHost(parts, keys.vault, deps.containersServer, remote);
  const originFor = wayBack(parts, remoteHost, remote);
  const reconnect = reconnectAtTimes(clock, remoteHost);
  const local = localDrivers.begin(remote.id, [remoteHost.driver]);
  const metrics: ManageDeps["metrics"] = {
    recordPass: (loop, ...pass) => deps.metrics.recordPass(`remote ${loop}`, ...pass),
  };
  const around = {
    clock,
    notifier: store.notifier,
    log,
    leaderships,
    leadership: manageLeadership(remote.id),
    metrics,
  };
  const seat = {
    id: ids.short(14),
    machine: remote.id,
    drivers: [remoteHost.driver.name],
    address: replica.address,
  };
  let working: Running | null = null;
  const presence = presenceLoop({
    store,
    clock,
    heartbeatTiming,
    seat,
    remote,
    replicaId: replica.id,
    ping: () => remoteHost.driver.engine.callWithin((docker) => docker.ping(), 5_000),
    async inspect() {
      const inventory = await lookAt(parts, remoteHost, remote);
      const account = await store.read(firstAccount);
      await originFor(remoteHost.driver.name, account!.id).catch((error) => {
        // The SSH server applies a corrected setting to new connections only.
        if (error instanceof StartRefused) reconnect();
        throw error;
      });
      return inventory;
    },
    async startLoops(inventory) {
      await working?.stop();
      await deps.refreshMachines();
      const loops = loopsOf(deps, remote, { ...keys, remoteHost, inventory, originFor, local });
      working = runLoops([...loops, ...watchGpus(parts, remoteHost, remote, inventory)], around);
    },
  });
  const watching = runLoops([presence], around);
  return async (removed) => {
    await watching.stop();
    await working?.stop();
    localDrivers.end(remote.id, local);
    if (removed) await leaveNothing(parts, remoteHost, remote);
    await remoteHost.close();
    await store.write(leaveReplica, seat.id, clock.now());
  };
}

interface Work extends Keys, Pick<MachineDeps, "originFor" | "local"> {
  remoteHost: RemoteHost;
  inventory: Inventory;
}

function loopsOf(
  { parts, sharedArchives }: ManageDeps,
  { id, offer }: RemoteMachine,
  { remoteHost, inventory, ...work }: Work,
): Loop[] {
  const { store, clock, log, config } = parts;
  const { driver } = remoteHost;
  return machineLoops({
    ...work,
    store,
    clock,
    log,
    machine: { id, inventory, publicIp: offer.publicIp, ports: config.ports },
    intercept: remoteIntercept(parts, driver.name),
    protocol: config.protocol,
    drivers: [driver],
    engine: driver.installations,
    fabricEngine: driver.fabric,
    dataFolder: null,
    flashArchives: sharedArchives,
    gpuUse: () => remoteHost.gpuUse(),
    hostLoad: () => remoteHost.hostLoad(),
  });
}

/** Declared GPUs take the place of those that can be read. */
function watchGpus(
  { store, clock, log, config: { catalog, kernelLog: file, gpuLimits: limits } }: Parts,
  { readGpus, testGpu, setMigLayout, readMigProfiles, follow }: RemoteHost,
  { id: machine, offer }: RemoteMachine,
  inventory: Inventory,
): Loop[] {
  if (readGpus === null || Object.keys(offer.gpus).length > 0) return [];
  const declared = { declaredCuda: offer.declared.cudaVersion ?? null, declaredVirtual: true };
  const deps = { store, clock, log, machine, inventory, limits };
  return [
    watchGpusLoop({ ...deps, catalog, ...declared, readGpus }),
    ...(testGpu ? [testGpusLoop({ ...deps, testGpu })] : []),
    ...(setMigLayout && readMigProfiles
      ? [setMigLayoutsLoop({ ...deps, setMigLayout, readMigProfiles })]
      : []),
    ...(file !== null && follow ? [watchKernelLogLoop({ ...deps, follow, file })] : []),
  ];
}

const RECONNECT_MS = 10_000;

/** Reconnects unless it did so a moment ago. */
function reconnectAtTimes(clock: Clock, remoteHost: RemoteHost): () => void {
  let notBefore = clock.ticks() + RECONNECT_MS;
  return () => {
    if (clock.ticks() < notBefore) return;
    notBefore = clock.ticks() + RECONNECT_MS;
    remoteHost.reconnect();
  };
}

/** An engine that does not answer leaves the last known inventory in place. */
async function leaveNothing(
  { log }: Parts,
  { driver, hostNetwork }: RemoteHost,
  { id, address }: RemoteMachine,
) {
  try {
    await driver.removeOwn();
    if (hostNetwork) await removeRules(hostNetwork.run, driver.networks.bridgePrefix);
  } catch (err) {
    log.warn({ err, machine: id, address }, "the workloads of a removed machine are left on it");
  }
}

const UNREAD = { gpuNumbers: {}, gpuAddresses: {}, gpuNodes: {}, gpuLinks: {}, gpuSlices: {} };

async function lookAt(
  { store, clock, catalog }: Parts,
  remoteHost: RemoteHost,
  { id, offer }: RemoteMachine,
): Promise<Inventory> {
  const found = await remoteHost.inspectHardware();
  const named = Object.entries(offer.gpus).flatMap(([name, count]) =>
    Array.from({ length: count }, () => name),
  );
  const memoryOf = (name: string) =>
    catalog.gpuTypes.find(({ id }) => id === name)?.memoryInGb ?? 0;
  const gpus = named.map((name, index) => ({ index, name, memoryMb: memoryOf(name) * MB_PER_GB }));
  const hardware = gpus.length > 0 ? { ...found, gpus, ...UNREAD } : found;
  const inventory = inventoryOf(catalog, hardware, offer.declared, offer.simulatedGpus);
  const { gpuDriver, cudaVersion, gpuTrouble, gpuFaults, gpuNotices } = inventory;
  const { gpus: offered, gpuNumbers, gpuAddresses, gpuNodes, gpuLinks, gpuSlices } = inventory;
  const driverReading = { gpuDriver, cudaVersion, gpuTrouble, gpuFaults, gpuNotices };
  const identities = { gpuNumbers, gpuAddresses, gpuNodes, gpuLinks, gpuSlices };
  const reading = { gpus: offered, ...driverReading, ...identities };
  await store.write(observeGpus, id, reading, clock.now());
  return { ...inventory, quota: await remoteHost.driver.quota() };
}

/** Returns the URL of the service for containers there. Throws StartRefused if there is none. */
function wayBack(
  { config, store, clock, log }: Parts,
  { driver, hostNetwork }: RemoteHost,
  remote: RemoteMachine,
) {
  const { publicUrl } = config;
  if (hostNetwork === null) {
    return async () => {
      if (publicUrl !== null) return publicUrl;
      throw new StartRefused(
        "the machine cannot call back: a tcp:// address leads one way only; set " +
          "FREEHOLD_PUBLIC_URL to where containers reach this service",
        "no_way_back",
      );
    };
  }
  const podConnection = new ContainerGateway({
    clock,
    driver,
    log,
    hostNetwork,
    publicUrl,
    request: config.port,
    firewall: new MachineFirewall(),
    keptPort: remote.wayBackPort,
    keepPort: (port) => void store.write(setCallbackPort, remote.id, port).catch(() => {}),
  });
  return (_driver: string, account: string) => podConnection.originFor(account);
}
