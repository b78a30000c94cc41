// Processes of peers. A server announces its port in one line of JSON on stdout; the benchmark waits for that line and
// later stops the process.
import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

export interface PeerProcess {
  pid: number;
  port: number;
  /** From spawn to the announcement of the port. */
  readyMs: number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** A server calls this once it listens. */
export function announce(address: AddressInfo | string | null): void {
  if (!address || typeof address === "string") throw new Error("not listening on TCP");
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
}

/** Starts a script of the benchmark and waits for its port. `script` is an absolute path. */
export async function startPeer(
  script: string,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<PeerProcess> {
  const startedAt = performance.now();
  const child = spawnTracked(process.execPath, [script, ...args], environment);
  const lines = createInterface({ input: child.stdout! });
  const port = await new Promise<number>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.startsWith('{"port":')) resolve(JSON.parse(line).port);
    });
    child.once("exit", (code) =>
      reject(new Error(`${script} exited with ${code} before it listened`)),
    );
  });
  return {
    pid: child.pid!,
    port,
    readyMs: performance.now() - startedAt,
    stop: () => stopProcess(child),
  };
}

/** Spawns a child that is killed when this process ends. */
export function spawnTracked(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): ChildProcess {
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Sends SIGTERM, and SIGKILL five seconds later. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
