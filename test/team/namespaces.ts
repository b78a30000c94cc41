// Two computers on a network of their own: network namespaces with a cable between them. Nothing outside is reached.

import { spawn, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";

/** From the range that RFC 5737 keeps for examples. */
export const SERVER_ADDRESS = "192.0.2.1";
export const COLLEAGUE_ADDRESS = "192.0.2.2";

/** Why there can be none here, or false. In CI it is an error. */
export function whyNoNamespaces(): string | false {
  if (process.env.CI) return false;
  if (process.getuid?.() !== 0) return "only root makes network namespaces";
  return spawnSync("ip", ["-V"]).status === 0 ? false : "iproute2 is not installed";
}

export interface Network {
  /** The beginning of a command that runs on that computer. */
  server: string[];
  colleague: string[];
}

export function openNetwork(t: TestContext): Network {
  const [server, colleague] = ["s", "c"].map((end) => `fh${process.pid}${end}`) as [string, string];
  const ends = [
    { name: server, address: SERVER_ADDRESS },
    { name: colleague, address: COLLEAGUE_ADDRESS },
  ];
  for (const { name } of ends) {
    ip("netns", "add", name);
    addCleanup(t, () => ip("netns", "del", name));
  }
  const cable = ["type", "veth", "peer", "name", "eth0", "netns", colleague];
  ip("link", "add", "eth0", "netns", server, ...cable);
  for (const { name, address } of ends) {
    ip("-n", name, "addr", "add", `${address}/24`, "dev", "eth0");
    for (const device of ["lo", "eth0"]) ip("-n", name, "link", "set", device, "up");
  }
  const on = (name: string) => ["ip", "netns", "exec", name];
  return { server: on(server), colleague: on(colleague) };
}

function ip(...words: string[]): void {
  const { status, stderr } = spawnSync("ip", words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${words.join(" ")}: ${stderr}`);
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. */
export async function runOn(
  computer: string[],
  command: string[],
  options: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const [program, ...words] = [...computer, ...command];
  const { input, ...rest } = options;
  const child = spawn(program!, words, rest);
  child.stdin.on("error", () => {}).end(input);
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (piece) => (texts.stdout += piece));
  child.stderr.on("data", (piece) => (texts.stderr += piece));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...texts };
}
