// A temporary service in a process of its own, of this checkout or of another one.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../jobs/beside/beside.ts";

const POLL_MS = 5;
/** The kernel's unit of CPU time. */
const TICK_MS = 10;
const MACHINE = { vcpus: 1_000_000, memoryInGb: 10_000_000, diskInGb: 10_000_000 };

export interface TemporaryService {
  /** From the start of the process until it answers. */
  startMs: number;
  call<Result = never>(method: string, route: string, body?: object): Promise<Result>;
  residentMb(): number;
  /** The CPU time of the process so far. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Makes what starts of this checkout begin with, where it has such a thing. */
export function prepareStarts(checkout: string): void {
  // Else the launcher would install the dependencies, which are those of this checkout.
  if (checkout !== root) utimesSync(path.join(checkout, "package-lock.json"), 0, 0);
  const script = path.join(checkout, "bin", "start", "build-bundle.mjs");
  if (existsSync(script)) spawnSync(process.execPath, [script], { stdio: "inherit" });
}

/** A start by the command of the checkout, which keeps compiled code from one start to the next. */
export async function startTemporary(checkout: string): Promise<TemporaryService> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-simulated-"));
  const data = path.join(folder, "data");
  const options = ["up", "--temporary", "on", "--listen", "127.0.0.1:0", "--data", data];
  const command = path.join(checkout, "bin", "freehold.mjs");
  const before = performance.now();
  const child = spawn(process.execPath, [command, ...options], {
    cwd: folder,
    stdio: ["pipe", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: "bench", // the command does not build the console
      FREEHOLD_DRIVERS: "process,simulated",
      FREEHOLD_LOG_LEVEL: "fatal",
      FREEHOLD_MACHINE: JSON.stringify(MACHINE),
    },
  });
  const ended = once(child, "exit");
  const origin = await answering(path.join(data, "address"), child);
  const startMs = performance.now() - before;
  const key = readFileSync(path.join(data, "cli.key"), "utf8").trim();
  return {
    startMs,
    async call(method, route, body) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const sent = body ? { body: JSON.stringify(body) } : {};
      const answer = await fetch(origin + route, { method, headers, ...sent });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
      return (text === "" ? null : JSON.parse(text)) as never;
    },
    residentMb: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
    },
    cpuMs: () => {
      const [, text] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ");
      const [user, system] = text!.split(" ").slice(11, 13).map(Number);
      return (user! + system!) * TICK_MS;
    },
    async stop() {
      child.stdin!.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The origin, once the service answers there. */
async function answering(file: string, child: { exitCode: number | null }): Promise<string> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const text = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
    const origin = text.startsWith("http") ? text : `http://${text}`;
    const answer = text === "" ? null : await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return origin;
    await sleep(POLL_MS);
  }
}
