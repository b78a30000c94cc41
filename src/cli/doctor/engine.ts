// The check of the container engine, which decides what workers run as.

import type { Clock } from "../../base/clock.ts";
import type { Config } from "../../config/config.ts";
import { engineAddress } from "../../config/machine/machines-config.ts";
import type { Finding } from "./finding.ts";

const about = "containers";

export async function inspectEngine(config: Config, clock: Clock): Promise<Finding> {
  const { dockerHost, drivers, driversChosen, dataFolder } = config;
  const instead = drivers.includes("simulated")
    ? "Pods and workers of images are simulated"
    : "workers do not run in containers";
  if (!drivers.includes("docker")) {
    const says = `FREEHOLD_DRIVERS leaves docker out; ${instead}`;
    return { level: "ok", about, says };
  }
  const { Engine } = await import("../../drivers/docker/engine.ts");
  const problem = await new Engine(engineAddress(config), clock).problem();
  if (!problem) {
    const says = `an engine answers at ${dockerHost}; workers run in containers`;
    return { level: "ok", about, says };
  }
  const { code = "" } = (problem.cause ?? {}) as NodeJS.ErrnoException;
  const rights = code === "EACCES" || code === "EPERM";
  const says = `no engine answers at ${dockerHost}`;
  const { hasKeptPort } = await import("../../installation/kept-port.ts");
  const isNeeded = driversChosen || hasKeptPort(dataFolder);
  if (!isNeeded && !rights) return { level: "ok", about, says: `${says}; ${instead}` };
  const fix = rights
    ? 'sudo usermod --append --groups docker "$USER", then log in again'
    : "start the engine, or set FREEHOLD_DOCKER_HOST to its address";
  return { level: "warn", about, says: rights ? problem.message : says, fix };
}
