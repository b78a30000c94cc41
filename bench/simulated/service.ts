// A temporary service in a process of its own, of this checkout or of another one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

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

/** `cache` keeps compiled code from one start to the next, as the installed command does. */
export async function startTemporary(checkout: string, cache: string): Promise<TemporaryService> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-simulated-"));
  const data = path.join(folder, "data");
  const options = ["up", "--temporary", "on", "--listen", "127.0.0.1:0", "--data", data];
  const main = path.join(checkout, "src", "main.ts");
  const script = `import { main } from ${JSON.stringify(main)}; await main(process.argv.slice(1));`;
  const before = performance.now();
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...options], {
    cwd: folder,
    stdio: ["pipe", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: cache,
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
