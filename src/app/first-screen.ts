// What `freehold up` prints. Only what answers is on it: a test requests every address.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Inventory } from "../domain/machine/inventory.ts";
import { USUAL_DOMAIN } from "../edge/proxy/address.ts";
import type { Config } from "./config.ts";
import type { Up } from "./up.ts";

export const version: string = packageVersion();

/** The folder that holds package.json lies above src/ in a clone, above dist/src/ when published. */
function packageVersion(): string {
  for (const up of ["../..", "../../.."]) {
    try {
      const file = path.join(import.meta.dirname, up, "package.json");
      return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
    } catch {}
  }
  return "0";
}

export function firstScreen(config: Config, up: Up): string {
  const { origin } = up;
  const drivers = up.house.drivers.map(({ name }) => name).join(", ") || "none";
  const folder = path.relative(process.cwd(), config.dataFolder);
  const data = folder.startsWith("..") ? config.dataFolder : `./${folder}`;
  const { inventory } = up.house.replica;
  const memory = Math.round(inventory.memoryMb / 1_024);
  const key = up.newKey
    ? `${up.newKey}   (shown once; \`freehold key create\` makes another)`
    : "the one you have (`freehold key create` makes another)";
  const lines = [
    `Freehold ${version}   data ${data}   ${up.house.store.dialect}   drivers: ${drivers}`,
    `REST      ${origin}/v1          reference ${origin}/v1/docs`,
    `queue     ${origin}/v2/<endpoint>/run`,
    `GraphQL   ${origin}/graphql`,
    `console   ${origin}/${signedIn(config, up)}`,
    `Pods      http://<pod>-<port>.${USUAL_DOMAIN}:${new URL(origin).port}${byPath(up)}`,
    `key       ${key}`,
    `machine   this one: ${inventory.vcpus} vCPU, ${memory} GB${gpusOf(inventory)}`,
  ];
  const has = (driver: string) => up.house.drivers.some(({ name }) => name === driver);
  const processes = has("process");
  if (has("docker"))
    lines.push(`engine    ${config.dockerHost}: a template's image runs as a container`);
  if (processes) {
    lines.push('          a template with driver "process" runs with the rights of this user');
  }
  const curl =
    `curl -s ${origin}/v2/hello/runsync -H "authorization: ${up.cliKey}" ` +
    `-H "content-type: application/json" -d '{"input":{"name":"you"}}'`;
  if (processes) lines.push("", `try it:   ${curl}`);
  lines.push(`clients:  eval "$(npx freehold env)"  then run yours unchanged`);
  return `${lines.map((line) => (line ? `  ${line}` : "")).join("\n")}\n`;
}

/** Browsers send nowhere what stands behind the #, and on loopback nobody else reads this screen. */
const signedIn = ({ loopback }: Config, { cliKey }: Up) => (loopback ? `#key=${cliKey}` : "");

/** For programs that cannot look up such names. */
const byPath = ({ proxyOrigin }: Up) => (proxyOrigin ? `   or ${proxyOrigin}/<pod>/<port>/` : "");

/** ", 2 NVIDIA A40"; ", virtual GPUs: 8 of each of 50 types" */
function gpusOf({ gpus }: Inventory): string {
  const real = gpus.filter(({ virtual }) => !virtual);
  const listed = real.map(({ gpuTypeId, indices }) => `, ${indices.length} ${gpuTypeId}`).join("");
  const paper = gpus.filter(({ virtual }) => virtual);
  if (paper.length === 0) return listed;
  const counts = new Set(paper.map(({ indices }) => indices.length));
  const each = counts.size === 1 ? `${[...counts]} of each of` : "some of";
  return `${listed}, virtual GPUs: ${each} ${paper.length} types`;
}
