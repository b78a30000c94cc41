// The check of the engine for containers, networks and volumes of services that do not run.

import type { Clock } from "../../base/clock.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Config } from "../../config/config.ts";
import { engineAddress } from "../../config/machine/machines-config.ts";
import type { InstallationUse } from "../../drivers/shared-engine.ts";
import { folderIdentity } from "../../installation/folder-identity.ts";
import { useText } from "../../installation/use-text.ts";
import { findService } from "../client/running-service.ts";
import { LONGEST_CHECK_MS } from "./brief-request.ts";
import type { Finding } from "./finding.ts";

const about = "leftovers";

/** `running` tells whether the service of this data folder runs, or may run. Empty if no engine answers. */
export async function checkLeftovers(
  config: Config,
  running: boolean,
  clock: Clock,
): Promise<Finding[]> {
  if (!config.drivers.includes("docker")) return [];
  const { installationsOn } = await import("../../drivers/docker/container/installations.ts");
  const { Engine } = await import("../../drivers/docker/engine.ts");
  const { DriverUnavailable } = await import("../../drivers/driver.ts");
  const installation = installationOf(config.dataFolder);
  try {
    const uses = await installationsOn(new Engine(engineAddress(config), clock));
    const found = uses.map(async (use) => {
      if (use.installation === installation) return running ? [] : [ownFinding(use)];
      return (await isRunning(config, use)) ? [] : [otherFinding(use)];
    });
    return (await Promise.all(found)).flat();
  } catch (error) {
    if (error instanceof DriverUnavailable) return [];
    throw error;
  }
}

/** A folder that cannot be read belongs to another user. */
function installationOf(dataFolder: string): string | null {
  try {
    return folderIdentity(dataFolder).installation;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** The service of an installation is found by the data folder that its labels name. One that is slow may run. */
async function isRunning(config: Config, { installation, dataFolder }: InstallationUse) {
  if (dataFolder === null || installationOf(dataFolder) !== installation) return false;
  const answer = await findService({ ...config, dataFolder }, LONGEST_CHECK_MS);
  return "origin" in answer || answer.silent !== null;
}

function ownFinding(use: InstallationUse): Finding {
  return {
    level: "warn",
    about,
    says: `the service is stopped, and its installation ${use.installation} has ${useText(use)}`,
    fix: `start the service, which finds them again, or remove them: ${removal(use)}`,
  };
}

function otherFinding(use: InstallationUse): Finding {
  const { installation, dataFolder } = use;
  const where = dataFolder === null ? "" : ` of the data folder ${dataFolder}`;
  return {
    level: "warn",
    about,
    says: `no service runs for installation ${installation}${where}, which has ${useText(use)}`,
    fix: `if it is gone for good, remove them: ${removal(use)}`,
  };
}

/** The commands that remove its parts; the last one says that it deletes data, which may still be wanted. */
function removal({ installation, containers, networks, volumes }: InstallationUse): string {
  const filter = `--filter label=freehold.installation=${installation}`;
  return [
    containers > 0 && `docker rm -f $(docker ps -aq ${filter})`,
    networks > 0 && `docker network rm $(docker network ls -q ${filter})`,
    volumes > 0 && `docker volume rm $(docker volume ls -q ${filter}), which deletes their data`,
  ]
    .filter(Boolean)
    .join("; ");
}
