// A temporary service, for tests: it ends with the program that started it, however that ends, and leaves nothing.

import { existsSync, readdirSync, rmSync } from "node:fs";
import type { Readable } from "node:stream";
import { systemClock } from "../../base/clock.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Config } from "../../config/config.ts";
import { engineAddress } from "../../config/machine/machines-config.ts";
import type { Driver } from "../../drivers/driver.ts";
import { folderIdentity } from "../../installation/folder-identity.ts";

/** What a test kit has in the folder before the start. */
const LOG = "service.log";

/** Throws Refusal if the folder has contents, because all of them would be removed. */
export function requireNewFolder(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).every((name) => name === LOG)) return;
  throw new Refusal(
    `the data folder ${folder} is not empty, and a temporary service removes its data folder; name a new one with --data`,
  );
}

/** Resolves when the input ends: a pipe ends with the program that holds its other end. */
export function untilInputEnds(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    input.on("end", () => resolve());
    input.on("error", () => resolve());
    input.resume();
  });
}

/** After the end of the service: removes its containers, which would outlive it, and its data folder. */
export async function removeTraces(config: Config, drivers: readonly Driver[]): Promise<void> {
  const { dataFolder } = config;
  try {
    if (drivers.some(({ name }) => name === "docker")) await removeContainers(config);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function removeContainers(config: Config): Promise<void> {
  const { installation } = folderIdentity(config.dataFolder);
  const { LABEL } = await import("../../drivers/docker/container/container-spec.ts");
  const { removeLabeled } = await import("../../drivers/docker/container/installations.ts");
  const { Engine } = await import("../../drivers/docker/engine.ts");
  const engine = new Engine(engineAddress(config), systemClock);
  await removeLabeled(engine, { label: [`${LABEL.installation}=${installation}`] }, true);
}
