// Opens the drivers that the configuration allows and this machine supports.

import path from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Config } from "../../config/config.ts";
import { engineAddress } from "../../config/machine/machines-config.ts";
import { reachRule } from "../../config/reach/reach-rule.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import { mayAnswer } from "../../drivers/docker/engine-address.ts";
import type { Driver } from "../../drivers/driver.ts";
import { cdiNamesReader } from "../../drivers/machine/amd-sysfs.ts";
import { runLocally } from "../../drivers/machine/run.ts";
import { openProcessDriver } from "../../drivers/process/process-driver.ts";
import { podGpus } from "../../drivers/simulated/gpu/pod-gpus.ts";
import type { ScenarioMachine } from "../../drivers/simulated/gpu/scenario-machine.ts";
import { openSimulatedDriver } from "../../drivers/simulated/simulated-driver.ts";
import type { LocalTrust } from "../../flows/local-trust.ts";
import { hasKeptPort } from "../../installation/kept-port.ts";
import type { Store } from "../../store/engine/store.ts";
import { trackDriver, withRealTimers } from "../clock/tracked-driver.ts";
import type { OpenVirtualTime } from "../clock/virtual-time.ts";
import type { MachineTroubles } from "../trouble/machine-troubles.ts";
import { strikeDriver } from "../trouble/strike-driver.ts";
import { imageMarks } from "./image-marks.ts";
import { logPieceStore } from "./log-archive.ts";
import { readImageRules } from "./simulated/image-rules-file.ts";

export interface Opened {
  drivers: Driver[];
  /** The container driver, if it is among them. */
  docker: DockerDriver | null;
  /** Why the engine of this machine is left out; null if it is used, or if there is none. */
  engineProblem: string | null;
}

interface Around {
  config: Config;
  localTrust: LocalTrust;
  store: Store;
  clock: Clock;
  virtualTime: OpenVirtualTime | null;
  troubles: MachineTroubles | null;
  /** Null if its GPUs follow no scenario. */
  scenario: ScenarioMachine | null;
  env: Record<string, string | undefined>;
  /** The store's id. */
  installation: string;
  /** The machine's id. It tells apart two replicas on one engine. */
  machine: string;
}

export async function openDrivers(around: Around): Promise<Opened> {
  const { config, clock, troubles } = around;
  const { dataFolder } = config;
  const drivers: Driver[] = [];
  const engine = await findEngine(config, clock);
  const docker = engine.found ? await openDocker(around) : null;
  if (docker) drivers.push(docker);
  if (config.drivers.includes("process")) drivers.push(await openProcesses(around, "workers"));
  if (config.drivers.includes("simulated")) {
    const { gpuTypes } = config.catalog;
    const gpuMemoryGb = (gpuTypeId: string) =>
      gpuTypes.find(({ id }) => id === gpuTypeId)?.memoryInGb ?? null;
    const imageRules = readImageRules(dataFolder, clock);
    const hasPrograms = imageRules.some(({ program }) => program !== null);
    const programs = hasPrograms ? await openProcesses(around, "simulated-programs") : null;
    const volumes = path.join(dataFolder, "volumes");
    drivers.push(
      openSimulatedDriver({
        clock,
        volumes,
        podGpus: (workload, usage) =>
          podGpus(workload, usage, around.scenario?.state() ?? null, gpuMemoryGb),
        imageRules,
        programs,
        publishOn: publishAddress(config),
      }),
    );
  }
  const withTroubles = troubles && drivers.map((driver) => strikeDriver(driver, troubles, clock));
  return { drivers: withTroubles ?? drivers, docker, engineProblem: engine.problem };
}

async function openProcesses(
  { config, clock, env, virtualTime }: Around,
  name: string,
): Promise<Driver> {
  const folder = path.join(config.dataFolder, name);
  const timed = virtualTime ? withRealTimers(clock) : clock;
  const driver = await openProcessDriver({ folder, clock: timed, env });
  return virtualTime ? trackDriver(driver, virtualTime) : driver;
}

async function openDocker({
  config,
  store,
  clock,
  env,
  localTrust,
  installation,
  machine,
}: Around): Promise<DockerDriver> {
  const { openDockerDriver } = await import("../../drivers/docker/docker-driver.ts");
  return openDockerDriver({
    ...engineAddress(config),
    clock,
    owner: { installation, machine, dataFolder: config.dataFolder },
    imageMarks: imageMarks(store, machine),
    registries: reachRule(config, localTrust),
    logPieces: logPieceStore(store),
    publishOn: publishAddress(config),
    readCdiNames: cdiNamesReader(runLocally(env)),
  });
}

/** Ports that are reached at a loopback address are open there only. */
function publishAddress({ loopback, publicIp, host }: Config): string {
  return loopback || publicIp?.startsWith("127.") ? "127.0.0.1" : host;
}

/**
 * An engine that is configured or was used before may be unavailable for now; any other must
 * answer.
 */
async function findEngine(
  config: Config,
  clock: Clock,
): Promise<{ found: boolean; problem: string | null }> {
  if (!config.drivers.includes("docker")) return { found: false, problem: null };
  if (config.driversChosen || hasKeptPort(config.dataFolder)) return { found: true, problem: null };
  const address = engineAddress(config);
  if (!mayAnswer(address)) return { found: false, problem: null };
  const { Engine } = await import("../../drivers/docker/engine.ts");
  const problem = await new Engine(address, clock).problem();
  return { found: problem === null, problem: problem?.message ?? null };
}
