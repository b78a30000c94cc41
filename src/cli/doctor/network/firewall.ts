// The check of this machine's firewall: connections from the machine itself pass it, so its rules are read.

import { execFile } from "node:child_process";
import { networkInterfaces } from "node:os";
import { networkAddress } from "../../../config/network/public-address.ts";
import type { Finding } from "../finding.ts";
import { verdictOf } from "./packet-filter.ts";

const about = "firewall";

/** Empty if no port must be open, and where there is no firewall that is known. */
export async function checkFirewall(ports: number[]): Promise<Finding[]> {
  if (ports.length === 0) return [];
  if ((await runProgram("firewall-cmd", ["--state"])).code === 0) return checkFirewalld(ports);
  const { code, stdout, isMissing } = await runProgram("iptables", ["-S"]);
  if (isMissing) return [];
  if (code !== 0) {
    const says = "this user may not read the rules, which decide what other computers reach";
    return [{ level: "warn", about, says, fix: "sudo freehold doctor" }];
  }
  const blocked = ports.filter((port) => verdictOf(stdout, port, outerDevice()) === "drop");
  if (blocked.length === 0) return [passes(ports)];
  const isUfw = stdout.includes("-N ufw-user-input");
  const lines = rangesOf(blocked).map((range) =>
    isUfw
      ? `sudo ufw allow ${range}/tcp`
      : `sudo iptables -I INPUT -p tcp --dport ${range} -j ACCEPT`,
  );
  return [blocks(blocked, lines.join("; "))];
}

async function checkFirewalld(ports: number[]): Promise<Finding[]> {
  const blocked: number[] = [];
  for (const port of ports) {
    const { code } = await runProgram("firewall-cmd", ["--query-port", `${port}/tcp`]);
    if (code !== 0) blocked.push(port);
  }
  if (blocked.length === 0) return [passes(ports)];
  const options = rangesOf(blocked).map((range) => `--add-port=${range.replace(":", "-")}/tcp`);
  const command = `sudo firewall-cmd --permanent ${options.join(" ")} && sudo firewall-cmd --reload`;
  return [blocks(blocked, command)];
}

const passes = (ports: number[]): Finding => ({
  level: "ok",
  about,
  says: `this machine's lets other computers reach the ports ${ports.join(", ")}`,
});

const blocks = (ports: number[], fix: string): Finding => ({
  level: "fail",
  about,
  says: `this machine's drops what other computers send to the ports ${ports.join(", ")}`,
  fix,
});

/** The interface of the address on the network. */
function outerDevice(): string {
  const address = networkAddress();
  const all = Object.entries(networkInterfaces());
  return all.find(([, each]) => each?.some((one) => one.address === address))?.[0] ?? "";
}

/** 8700, 8701 and 8703 as 8700:8701 and 8703. */
function rangesOf(ports: number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const port of [...ports].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && port <= range.last + 1) range.last = port;
    else ranges.push({ first: port, last: port });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}:${last}`));
}

interface Ended {
  code: number;
  stdout: string;
  isMissing: boolean;
}

function runProgram(program: string, words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 10_000, maxBuffer: 16 << 20 }, (error, stdout) => {
      const isMissing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
      resolve({ code: error ? 1 : 0, stdout, isMissing });
    });
  });
}
