// The text that `freehold up` prints. It shows only addresses that answer; a test requests each.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Up } from "../../app/boot/up.ts";
import { MB_PER_GB } from "../../base/units.ts";
import type { Config } from "../../config/config.ts";
import { entranceLines, portsOf } from "../../config/reach/entrances.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { USUAL_DOMAIN } from "../../edge/proxy/proxy-target.ts";
import { shownKey } from "../client/shown-key.ts";

export const version: string = packageVersion();

/** A clone, unlike an installed package and the image, says how to contribute. */
const commandName = existsSync(path.join(import.meta.dirname, "..", "..", "..", "CONTRIBUTING.md"))
  ? "npx freehold"
  : "freehold";

/** package.json lies above src/ in a clone and above lib/src/ in the npm package. */
function packageVersion(): string {
  for (const up of ["../../..", "../../../.."]) {
    try {
      const file = path.join(import.meta.dirname, up, "package.json");
      return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
    } catch {}
  }
  return "0";
}

/** `isTerminal` tells whether a person reads it, and no log keeps it. */
export function firstScreen(config: Config, up: Up, isTerminal: boolean): string {
  const { shownOrigin: origin } = up;
  const drivers = up.service.drivers.map(({ name }) => name).join(", ") || "none";
  const folder = path.relative(process.cwd(), config.dataFolder);
  const data = folder.startsWith("..") ? config.dataFolder : `./${folder}`;
  const { inventory } = up.service.replica;
  const memory = Math.round(inventory.memoryMb / MB_PER_GB);
  const { key, file, quoted } = shownKey(config, up.cliKey, isTerminal);
  const lines = [
    `Freehold ${version}   data ${data}   ${up.service.store.dialect}   drivers: ${drivers}`,
    `REST      ${origin}/v1          reference ${origin}/v1/docs`,
    `queue     ${origin}/v2/<endpoint>/run`,
    `GraphQL   ${origin}/graphql`,
    `console   ${origin}/${key ? `#key=${key}` : ""}`,
    `docs      ${origin}/docs`,
    `Pods      http://<pod>-<port>.${USUAL_DOMAIN}:${new URL(up.origin).port}${byPath(up)}`,
    `key       ${key ?? `in ${file}`}   (\`freehold keys create\` creates others)`,
    inventory.simulated
      ? `machine   simulated${gpusOf(inventory)}`
      : `machine   this one: ${inventory.vcpus} vCPU${overcommitOf(inventory)}, ${memory} GB${gpusOf(inventory)}`,
  ];
  const has = (driver: string) => up.service.drivers.some(({ name }) => name === driver);
  const processes = has("process");
  if (has("docker"))
    lines.push(`engine    ${config.dockerHost}: a template's image runs as a container`);
  if (inventory.simulated) {
    lines.push(
      "engine    none: images are simulated and do not run, unless a machine that you added has an engine",
    );
  }
  if (processes) {
    lines.push('          a template with driver "process" runs with the rights of this user');
  }
  if (up.service.engineProblem) {
    lines.push(
      `engine    not used. ${up.service.engineProblem}`,
      "          Then start Freehold again. To do without containers, set FREEHOLD_DRIVERS=process,simulated",
    );
  }
  const curl =
    `curl -s ${origin}/v2/hello/runsync -H "authorization: ${quoted}" ` +
    `-H "content-type: application/json" -d '{"input":{"name":"you"}}'`;
  const others = entranceLines(config, portsOf(up));
  if (others.length > 0) lines.push("", ...others, "");
  if (processes) lines.push("", `try it:   ${curl}`);
  lines.push(`clients:  eval "$(${commandName} env)"  then run your client unchanged`);
  return `${lines.map((line) => (line ? `  ${line}` : "")).join("\n")}\n`;
}

const overcommitOf = ({ cpuOvercommit }: Inventory) =>
  cpuOvercommit === undefined ? "" : ` (given ${cpuOvercommit} times)`;

/** For clients that cannot resolve subdomains of localhost. */
const byPath = ({ proxyOrigin }: Up) => (proxyOrigin ? `   or ${proxyOrigin}/<pod>/<port>/` : "");

/** For example ", 2 NVIDIA A40" or ", simulated GPUs: 8 of each of 50 types". */
function gpusOf({ gpus }: Inventory): string {
  const real = gpus.filter(({ virtual }) => !virtual);
  const listed = real.map(({ gpuTypeId, indices }) => `, ${indices.length} ${gpuTypeId}`).join("");
  const simulatedGroups = gpus.filter(({ virtual }) => virtual);
  if (simulatedGroups.length === 0) return listed;
  const counts = new Set(simulatedGroups.map(({ indices }) => indices.length));
  const each = counts.size === 1 ? `${[...counts]} of each of` : "some of";
  return `${listed}, simulated GPUs: ${each} ${simulatedGroups.length} types`;
}
