// Opens the drivers that the configuration allows and this machine has.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../base/clock.ts";
import { type EngineAddress, mayAnswer, tlsKeysIn } from "../drivers/docker/address.ts";
import type { DockerDriver } from "../drivers/docker/docker-driver.ts";
import type { Driver } from "../drivers/driver.ts";
import { openFakeDriver } from "../drivers/fake/fake-driver.ts";
import { openProcessDriver } from "../drivers/process/process-driver.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import { imageMarks } from "./image-marks.ts";
import { logShelf } from "./log-shelf.ts";

export interface Opened {
  drivers: Driver[];
  /** The one of containers, if it is among them. */
  docker: DockerDriver | null;
}

interface Around {
  config: Config;
  store: Store;
  clock: Clock;
  env: Record<string, string | undefined>;
  /** The machine's id: two services on one engine have different ones. */
  machine: string;
}

export async function openDrivers(around: Around): Promise<Opened> {
  const { config, clock, env } = around;
  const { dataFolder } = config;
  const drivers: Driver[] = [];
  const docker = (await hasEngine(config, clock)) ? await openDocker(around) : null;
  if (docker) drivers.push(docker);
  if (config.drivers.includes("process")) {
    const folder = path.join(dataFolder, "workers");
    drivers.push(await openProcessDriver({ folder, clock, env }));
  }
  if (config.drivers.includes("fake")) drivers.push(openFakeDriver({ clock }));
  return { drivers, docker };
}

async function openDocker({ config, store, clock, machine }: Around): Promise<DockerDriver> {
  const { openDockerDriver } = await import("../drivers/docker/docker-driver.ts");
  return openDockerDriver({
    ...engineAddress(config),
    clock,
    installation: machine,
    imageMarks: imageMarks(store, machine),
    logShelf: logShelf(store),
    publishOn: config.loopback ? "127.0.0.1" : config.host,
  });
}

export function engineAddress({ dockerHost, dockerCertificates }: Config): EngineAddress {
  return {
    host: dockerHost,
    tls: dockerCertificates === null ? null : tlsKeysIn(dockerCertificates),
  };
}

/** One that was chosen, or used before, may be away for now; else only one that answers counts. */
async function hasEngine(config: Config, clock: Clock): Promise<boolean> {
  if (!config.drivers.includes("docker")) return false;
  if (config.driversChosen || existsSync(portFile(config.dataFolder))) return true;
  const address = engineAddress(config);
  if (!mayAnswer(address)) return false;
  const { Engine } = await import("../drivers/docker/engine.ts");
  return new Engine(address, clock).answers();
}

/** The port at which containers reach the service; there once one was started. */
export function keptPort(dataFolder: string): number | null {
  try {
    return Number(readFileSync(portFile(dataFolder), "utf8")) || null;
  } catch {
    return null;
  }
}

export function keepPort(dataFolder: string, port: number): void {
  writeFileSync(portFile(dataFolder), `${port}\n`, { mode: 0o600 });
}

const portFile = (dataFolder: string) => path.join(dataFolder, "containers.port");
