// The container engine of this machine, if there is one, and helpers for tests that use it.

import { execFileSync, spawnSync } from "node:child_process";
import { missingPrograms } from "./root-folder.ts";

/** Why tests of containers are skipped, or false; CI skips none. */
export const missing: string | false = whatIsMissing();
if (missing && process.env.CI) throw new Error(missing);

/** Runs `docker ...` and returns its output. */
export function docker(...args: string[]): string {
  return execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Compose is either a plugin of the docker command or its own program. */
export function composeCommand(): string[] {
  return answers("docker", "compose", "version") ? ["docker", "compose"] : ["docker-compose"];
}

function whatIsMissing(): string | false {
  if (!answers("docker", "info")) return "no container engine answers (docker info)";
  const [program, ...args] = composeCommand();
  if (!answers(program!, ...args, "version")) return "docker compose is not installed";
  const programs = missingPrograms();
  const them = programs.join(", ");
  return programs.length > 0 && `the images are made of programs that are not installed: ${them}`;
}

function answers(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
