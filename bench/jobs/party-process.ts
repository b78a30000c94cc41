// The two ends of starting a server under test: the server announces its port in one line of JSON
// on stdout, the bench waits for that line and ends the process, and everything below it, later.
import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

export interface PartyProcess {
  pid: number;
  port: number;
  /** From spawn to the announcement. */
  readyMs: number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Called by a server once it listens. */
export function announce(address: AddressInfo | string | null): void {
  if (!address || typeof address === "string") throw new Error("not listening on TCP");
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
}

/** Starts a script of this bench (an absolute path) and waits until it announced its port. */
export async function startParty(
  script: string,
  environment: Record<string, string> = {},
): Promise<PartyProcess> {
  const begun = performance.now();
  const child = spawnTracked(process.execPath, [script], environment);
  const lines = createInterface({ input: child.stdout! });
  const port = await new Promise<number>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.startsWith('{"port":')) resolve(JSON.parse(line).port);
    });
    child.once("exit", (code) =>
      reject(new Error(`${script} ended with ${code} before it was up`)),
    );
  });
  return {
    pid: child.pid!,
    port,
    readyMs: performance.now() - begun,
    stop: () => stopProcess(child),
  };
}

/** Spawns a child that is killed, whatever happens, when this process ends. */
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

/** SIGTERM, and SIGKILL where that did not do within five seconds. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const impatience = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(impatience);
}

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
