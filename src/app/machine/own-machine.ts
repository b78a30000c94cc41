// The machine that this replica runs on: its drivers, its offer, and its loops.

import type { Server } from "node:http";
import { gpuUseReader } from "../../drivers/machine/gpu-use.ts";
import { gpuReader } from "../../drivers/machine/nvidia-smi.ts";
import { runLocally } from "../../drivers/machine/run.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import type { UsageHistory } from "../../flows/replica/usage-history.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { watchGpusLoop } from "../../loops/machines/watch-gpus.ts";
import type { Keys } from "../installation/derived-keys.ts";
import type { Parts } from "../service-parts.ts";
import { fallOffLoop } from "../trouble/fallen-gpus.ts";
import { loopTroubles } from "../trouble/loop-troubles.ts";
import { machineTroubles } from "../trouble/machine-troubles.ts";
import { ContainerGateway } from "./container-gateway.ts";
import { type ContainerInterception, openContainerInterception } from "./container-interception.ts";
import { ownHostNetwork } from "./host-network.ts";
import { keepPort, keptPort } from "./kept-port.ts";
import { machineLoops } from "./machine-loops.ts";
import { openModelCache } from "./model-cache.ts";
import { ownInventory } from "./offer.ts";
import { openDrivers } from "./open-drivers.ts";

interface Beginning {
  /** The URL at which processes reach the service. */
  origin: string;
  /** The address that the service listens on. */
  own: { host: string; port: number };
  /** Creates a server that answers as the main one does. */
  another: () => Server;
  keys: Keys;
  sharedArchives: SharedArchives;
  usage: UsageHistory;
}

/** A GPU driver in trouble can take long to answer; an answer that comes late still counts. */
const GPU_TIMEOUT_MS = 60_000;

export async function openOwnMachine(parts: Parts) {
  const { config, store, clock, log, ids, machine: id, env } = parts;
  const troubles = machineTroubles(parts);
  const { drivers, docker, engineProblem } = await openDrivers({ ...parts, troubles });
  const readGpus = gpuReader(runLocally(env, GPU_TIMEOUT_MS));
  const inventory = await ownInventory(config, docker, readGpus);
  const modelCache = await openModelCache(parts);
  if (modelCache) inventory.models = modelCache.list();
  let podConnection: ContainerGateway | null = null;
  let interception: ContainerInterception | null = null;
  return {
    drivers,
    engineProblem,
    faultRules: loopTroubles(parts, () => troubles?.power.isOff ?? false),
    replica: {
      id: ids.short(14),
      machine: id,
      drivers: drivers.map(({ name }) => name),
      inventory,
    },
    /**
     * Containers that kept running must reach the service first: their results come before any
     * verdict.
     */
    async loops({ origin, own, another, keys, sharedArchives, usage }: Beginning): Promise<Loop[]> {
      const { dataFolder, publicUrl, publicIp, ports, protocol } = config;
      const openPorts = new Set<number>();
      podConnection =
        docker &&
        new ContainerGateway({
          ...{ clock, driver: docker, log, publicUrl, request: own.port },
          hostNetwork: ownHostNetwork(own, another),
          openPorts,
          keptPort: keptPort(dataFolder),
          keepPort: (port) => keepPort(dataFolder, port),
        });
      await podConnection?.open();
      if (docker && config.interceptContainers) {
        const around = { config, clock, log, env, driver: docker, own, origin, openPorts };
        interception = await openContainerInterception(around);
      }
      const deps = { store, clock, drivers, machine: id, inventory };
      const faultLoops = troubles ? [fallOffLoop({ ...deps, ...troubles })] : [];
      const loops = machineLoops({
        ...{ store, clock, log, protocol, drivers, usage, ...keys },
        machine: { id, inventory, publicIp, ports },
        ...(interception && { intercept: interception.intercept }),
        engine: docker?.installations ?? null,
        fabricEngine: docker?.fabric ?? null,
        dataFolder,
        ...(modelCache && { modelCache }),
        flashArchives: sharedArchives,
        // Containers cannot reach the service's own listener; every other driver's workloads can.
        originFor: async (driver, account) =>
          driver === "docker" && podConnection ? podConnection.originFor(account) : origin,
        gpuUse: gpuUseReader(runLocally(env)),
      });
      const declaredCuda = config.machine.cudaVersion ?? null;
      const declaredVirtual = config.virtualGpus !== null || inventory.simulated === true;
      const watch = { ...deps, log, catalog: config.catalog, declaredCuda, declaredVirtual };
      return [...faultLoops, watchGpusLoop({ ...watch, readGpus }), ...loops];
    },
    /** Closes the listeners that only containers reach. */
    async closeGateway() {
      await interception?.close();
      await podConnection?.close();
      await modelCache?.close();
    },
  };
}
