// HAProxy before the same workers, with the settings that its manual recommends for HTTP: connections are kept and reused.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Proxying } from "../pods/proxy/nginx.ts";

const config = (port: number, workers: readonly string[]) => `
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend bench
  bind 127.0.0.1:${port}
  default_backend workers
backend workers
  balance leastconn
${workers.map((address, n) => `  server w${n} ${address} maxconn 1000`).join("\n")}
`;

export async function startHaproxy(
  port: number,
  workers: readonly string[],
  core: number,
): Promise<Proxying> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-haproxy-"));
  const file = path.join(folder, "haproxy.cfg");
  writeFileSync(file, config(port, workers));
  const args = ["-c", String(core), "haproxy", "-db", "-f", file];
  const child = spawn("taskset", args, { stdio: "ignore" });
  const end = async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  return { pid: child.pid!, origin: `http://127.0.0.1:${port}`, end };
}

export function haproxyVersion(): string {
  const output = execFileSync("haproxy", ["-v"], { encoding: "utf8" });
  return /version (\S+)/.exec(output)?.[1] ?? "of unknown version";
}
