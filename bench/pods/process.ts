// Freehold as `freehold up` starts it, in its own process, with containers on this machine's
// engine.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { removeMachine } from "../../test/fixtures/docker/docker-driver-harness.ts";
import { docker } from "../../test/fixtures/docker/engine.ts";
import { freePort } from "../../test/fixtures/free-port.ts";

export const ENGINE = process.env.DOCKER_HOST || "unix:///var/run/docker.sock";
const root = path.join(import.meta.dirname, "..", "..");

export interface ServiceProcess {
  pid: number;
  origin: string;
  key: string;
  // biome-ignore lint/suspicious/noExplicitAny: any response of the service
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Creates a small CPU Pod; resolves to its id and its container's id once it runs. */
  rent(body: object): Promise<{ id: string; container: string }>;
  end(): Promise<void>;
}

const SMALL = { computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1 };

/** Pinned to one core if it is given. */
export async function startProcess(
  core: number | null,
  drivers = "docker",
): Promise<ServiceProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const places = ["--listen", origin.slice("http://".length), "--data", folder];
  const flags = [...places, "--drivers", drivers, "--proxy-listen", "off"];
  const command = [process.execPath, path.join(root, "bin", "freehold.mjs"), "up", ...flags];
  const [program, ...args] = core === null ? command : ["taskset", "-c", String(core), ...command];
  const child = spawn(program!, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, FREEHOLD_MACHINE: '{"vcpus": 8, "memoryInGb": 32, "diskInGb": 500}' },
  });
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (text) => String(text).includes("clients:") && resolve());
  });
  const key = readFileSync(path.join(folder, "cli.key"), "utf8").trim();
  const service: ServiceProcess = {
    pid: child.pid!,
    origin,
    key,
    async call(method, address, body) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(origin + address, { method, headers, ...sent })).json();
    },
    async rent(body) {
      const { id } = await service.call("POST", "/v1/pods", { ...SMALL, ...body });
      while (!(await service.call("GET", `/v1/pods/${id}`)).publicIp) await realTime(100);
      const label = `label=freehold.workload=${id}`;
      const container = docker(ENGINE, "ps", "--quiet", "--no-trunc", "--filter", label);
      return { id, container };
    },
    async end() {
      child.kill("SIGTERM");
      await once(child, "exit");
      const machine = readFileSync(path.join(folder, "machine.id"), "utf8").trim();
      removeMachine((...args) => docker(ENGINE, ...args), machine);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return service;
}
