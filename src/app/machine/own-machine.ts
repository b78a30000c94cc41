// The machine that this replica runs on: its drivers, its offer, and its loops.

import type { Server } from "node:http";
import { recalledGpus } from "../../domain/machine/gpu-recall.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import { MachineFirewall } from "../../drivers/docker/network/firewall.ts";
import type { Intercept } from "../../drivers/driver.ts";
import { followLocally } from "../../drivers/machine/follow-locally.ts";
import { gpuReader, type ReadGpus } from "../../drivers/machine/gpu-reader.ts";
import { GPU_TEST_MS, gpuTester } from "../../drivers/machine/gpu-test/gpu-test.ts";
import { gpuUseReader } from "../../drivers/machine/load/gpu-use.ts";
import { readOwnLoad } from "../../drivers/machine/load/host-load.ts";
import { serializeGpuCalls } from "../../drivers/machine/mig/serialize-gpu-calls.ts";
import {
  MIG_COMMAND_MS,
  migProfileReader,
  migSetter,
} from "../../drivers/machine/mig/set-mig-layout.ts";
import { runLocally } from "../../drivers/machine/run.ts";
import type { ScenarioMachine } from "../../drivers/simulated/gpu/scenario-machine.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";
import type { LocalMachine } from "../../flows/replica/local-drivers.ts";
import type { Keys } from "../../installation/derived-keys.ts";
import { keepPort, keptPort } from "../../installation/kept-port.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { setMigLayoutsLoop } from "../../loops/machines/watch/set-mig-layouts.ts";
import { testGpusLoop } from "../../loops/machines/watch/test-gpus.ts";
import { watchEngineLoop } from "../../loops/machines/watch/watch-engine.ts";
import { watchGpusLoop } from "../../loops/machines/watch/watch-gpus.ts";
import { watchKernelLogLoop } from "../../loops/machines/watch/watch-kernel-log.ts";
import { readInventory } from "../../store/replica/inventory.ts";
import type { Parts } from "../service-parts.ts";
import { fallOffLoop } from "../trouble/fallen-gpus.ts";
import { loopTroubles } from "../trouble/loop-troubles.ts";
import { machineTroubles } from "../trouble/machine-troubles.ts";
import { ContainerGateway } from "./container-gateway.ts";
import { type ContainerInterception, openContainerInterception } from "./container-interception.ts";
import {
  type EngineFacts,
  engineFactsAtStart,
  inTime,
  readEngineFacts,
  withEngineFacts,
} from "./engine-facts.ts";
import { ownHostNetwork } from "./host-network.ts";
import { machineLoops } from "./machine-loops.ts";
import { openModelCache } from "./model-cache.ts";
import { ownInventory } from "./offer.ts";
import { openDrivers } from "./open-drivers.ts";
import { readGpuScenario, requireSimulated } from "./simulated/gpu-scenario-file.ts";
import { trustRoot } from "./trust-root.ts";

interface Beginning {
  /** The URL at which processes reach the service. */
  origin: string;
  /** The address that the service listens on. */
  own: { host: string; port: number; isTls: boolean };
  /** Creates a server that answers as the main one does. */
  another: () => Server;
  keys: Keys;
  sharedArchives: SharedArchives;
  local: LocalMachine;
}

/** A GPU driver in trouble can take long to answer; an answer that comes late still counts. */
const GPU_TIMEOUT_MS = 60_000;

const SILENT_ENGINE =
  "the container engine does not answer; the service starts without it, and asks again";

/** What the store has of the last reading. */
export async function recallGpus({ store }: Pick<Parts, "store">, machine: string) {
  const inventory = await store.read(readInventory, machine);
  return inventory ? recalledGpus(inventory) : null;
}

function ownGpus(parts: Parts, scenario: ScenarioMachine | null) {
  const run = scenario?.run ?? runLocally(parts.env, GPU_TIMEOUT_MS);
  return gpuReader(run, { recall: () => recallGpus(parts, parts.machine) });
}

/** The loops that read its GPUs and what their driver logs. */
function watchOwnGpus(
  { config, env }: Parts,
  deps: Pick<Parts, "store" | "clock" | "log" | "machine"> & {
    inventory: Inventory;
    scenario: ScenarioMachine | null;
  },
  readAll: ReadGpus,
): Loop[] {
  const { catalog, kernelLog: file, gpuLimits: limits } = config;
  const declaredCuda = config.machine.cudaVersion ?? null;
  const declaredVirtual = config.simulatedGpus !== null || deps.inventory.simulated === true;
  const runMig = deps.scenario?.run ?? runLocally(env, MIG_COMMAND_MS);
  const { readGpus, setMigLayout } = serializeGpuCalls({
    readGpus: readAll,
    setMigLayout: migSetter(runMig),
  });
  const readMigProfiles = migProfileReader(runMig);
  const watch = watchGpusLoop({
    ...deps,
    catalog,
    declaredCuda,
    declaredVirtual,
    limits,
    readGpus,
  });
  const testGpu = gpuTester(deps.scenario?.run ?? runLocally(env, GPU_TEST_MS));
  const loops = [
    watch,
    testGpusLoop({ ...deps, limits, testGpu }),
    setMigLayoutsLoop({ ...deps, limits, setMigLayout, readMigProfiles }),
  ];
  if (file === null) return loops;
  const follow = deps.scenario?.follow ?? followLocally(env);
  return [...loops, watchKernelLogLoop({ ...deps, limits, file, follow })];
}

/** Nothing without container driver. */
const watchOwnEngine = (
  docker: DockerDriver | null,
  engine: EngineFacts | null,
  deps: Pick<Parts, "store" | "machine"> & { inventory: Inventory },
): Loop[] => {
  if (docker === null) return [];
  const readFacts = async () => withEngineFacts(deps.inventory, await readEngineFacts(docker));
  return [
    watchEngineLoop({
      ...deps,
      problem: (withinMs) => docker.engine.problem(withinMs),
      readFacts: engine === null ? readFacts : null,
    }),
  ];
};

/** Under interception, containers get the root of the local authority with the other roots. */
function interceptOf(
  { localRoot, env }: Parts,
  docker: DockerDriver | null,
  interception: ContainerInterception | null,
): { intercept?: Intercept } {
  if (interception) return { intercept: interception.intercept };
  return docker && localRoot ? { intercept: trustRoot(localRoot, docker.name, env) } : {};
}

/** Null if it does not answer in time. */
async function askEngine({ config, log, steps }: Parts, docker: DockerDriver) {
  steps.enter(`asks the container engine at ${config.dockerHost}`);
  const engine = await engineFactsAtStart(docker);
  if (engine === null) log.warn({ engine: config.dockerHost }, SILENT_ENGINE);
  return engine;
}

interface GatewayOptions extends Pick<Beginning, "own" | "another"> {
  driver: DockerDriver;
  engine: EngineFacts | null;
  firewall: MachineFirewall;
}

/** Containers of an engine that did not answer wait until it does. */
async function openGateway(
  { config, clock, log, steps }: Parts,
  { driver, engine, own, another, firewall }: GatewayOptions,
): Promise<ContainerGateway> {
  steps.enter("lets containers that run reach it");
  const { dataFolder, publicUrl } = config;
  const gateway = new ContainerGateway({
    clock,
    driver,
    log,
    publicUrl,
    request: own.port,
    hostNetwork: ownHostNetwork(own, another),
    firewall,
    keptPort: keptPort(dataFolder),
    keepPort: (port) => keepPort(dataFolder, port),
  });
  const opening = inTime(() => gateway.open());
  if (engine !== null) await opening;
  return gateway;
}

export type OpenMachine = Awaited<ReturnType<typeof openOwnMachine>>;

export async function openOwnMachine(parts: Parts) {
  const { config, store, clock, log, ids, machine: id, env } = parts;
  parts.steps.enter("opens its drivers");
  const troubles = machineTroubles(parts);
  const scenario = readGpuScenario(config, clock);
  const { drivers, docker, engineProblem } = await openDrivers({ ...parts, troubles, scenario });
  requireSimulated(scenario, docker === null && config.drivers.includes("simulated"));
  const gpus = ownGpus(parts, scenario);
  const engine = docker && (await askEngine(parts, docker));
  parts.steps.enter("reads the hardware of its machine");
  const inventory = await ownInventory(config, { docker, engine }, gpus.read, scenario !== null);
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
    /** Containers that kept running reach the service first: their results come before any verdict. */
    async loops({ origin, own, another, keys, sharedArchives, local }: Beginning): Promise<Loop[]> {
      const { dataFolder, publicIp, ports, protocol } = config;
      const firewall = new MachineFirewall();
      podConnection =
        docker && (await openGateway(parts, { driver: docker, engine, own, another, firewall }));
      if (docker && config.interceptContainers) {
        const around = { ...parts, driver: docker, own, origin, firewall };
        interception = await openContainerInterception(around);
      }
      const deps = { store, clock, drivers, machine: id, inventory };
      const faultLoops = troubles ? [fallOffLoop({ ...deps, ...troubles })] : [];
      const loops = machineLoops({
        store,
        clock,
        log,
        protocol,
        drivers,
        local,
        ...keys,
        machine: { id, inventory, publicIp, ports },
        ...interceptOf(parts, docker, interception),
        engine: docker?.installations ?? null,
        fabricEngine: docker?.fabric ?? null,
        dataFolder,
        hostLoad: readOwnLoad,
        ...(modelCache && { modelCache }),
        flashArchives: sharedArchives,
        // Containers cannot reach the service's own listener; every other driver's workloads can.
        originFor: async (driver, account) =>
          driver === "docker" && podConnection ? podConnection.originFor(account) : origin,
        gpuUse: gpuUseReader(scenario?.run ?? runLocally(env), gpus.numbers),
      });
      const gpuLoops = watchOwnGpus(parts, { ...deps, log, scenario }, gpus.read);
      return [...faultLoops, ...watchOwnEngine(docker, engine, deps), ...gpuLoops, ...loops];
    },
    /** Closes the listeners that only containers reach. */
    async closeGateway() {
      await interception?.close();
      await podConnection?.close();
      await modelCache?.close();
    },
  };
}
