// A Freehold for tests, in a process of its own: a free port, and a data folder that is removed at the end.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "./client.ts";
import { engineProblem } from "./engine.ts";

export { Client, type EndpointOptions } from "./client.ts";
export type { Clock } from "./clock.ts";
export { Endpoint, JobFailed, type RunsyncOptions, type TestJob } from "./endpoint.ts";
export { skipWithoutEngine } from "./engine.ts";
export type { Fault, FaultOptions } from "./fault.ts";

export interface StartOptions {
  /** Runs images as containers of this machine's engine; rejects if none answers. */
  engine?: boolean;
}

const START_MS = 60_000;
const STOP_MS = 20_000;
const POLL_MS = 20;

/** The services of this process in the order of their start; the last one sets the variables. */
let running: Freehold[] = [];
let variablesBefore: NodeJS.ProcessEnv = {};

/** A running Freehold that this process started. */
export class Freehold extends Client {
  readonly #child: ChildProcess;
  readonly #folder: string;

  constructor(origin: string, key: string, child: ChildProcess, folder: string) {
    super(origin, key);
    this.#child = child;
    // A process that has not called `stop` ends nevertheless, and the service with it.
    child.unref();
    (child.stdin as Socket).unref();
    this.#folder = folder;
    if (running.length === 0) variablesBefore = { ...process.env };
    running.push(this);
    Object.assign(process.env, this.variables);
  }

  /** Ends the service with its workers, removes its data, and restores the variables. */
  async stop(): Promise<void> {
    running = running.filter((each) => each !== this);
    const values: NodeJS.ProcessEnv = running.at(-1)?.variables ?? variablesBefore;
    for (const name of Object.keys(this.variables)) {
      const value = values[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await end(this.#child, this.#folder);
  }
}

/** Starts a Freehold and waits until it answers. */
export async function startFreehold({ engine = false }: StartOptions = {}): Promise<Freehold> {
  const problem = engine ? await engineProblem() : null;
  if (problem !== null) throw new Error(problem);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-testing-"));
  const file = path.join(folder, "service.log");
  const log = openSync(file, "w");
  const manifest = fileURLToPath(import.meta.resolve("freehold/package.json"));
  const command = path.join(path.dirname(manifest), "freehold.mjs");
  const args = ["up", "--temporary", "on", "--listen", "127.0.0.1:0", "--data", folder];
  // The service ends with this pipe, so also with this process, however it ends. In a session of its own it survives
  // Ctrl-C, which tests clean up after.
  const child = spawn(process.execPath, [command, ...args], {
    env: environment(engine),
    stdio: ["pipe", log, log],
    detached: process.platform !== "win32",
  });
  closeSync(log);
  const deadline = Date.now() + START_MS;
  for (;;) {
    const text = readFileSync(file, "utf8");
    const [, origin] = /^ *REST +(\S+)\/v1\b/m.exec(text) ?? [];
    if (origin && text.includes("clients:")) {
      const key = readFileSync(path.join(folder, "cli.key"), "utf8").trim();
      return new Freehold(origin, key, child, folder);
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      await end(child, folder);
      throw new Error(`Freehold did not start:\n${text}`);
    }
    await sleep(POLL_MS);
  }
}

/** The Freehold that vitest's setup, or another process, has started. */
export function connectFreehold(): Client {
  const { FREEHOLD_URL, FREEHOLD_KEY } = process.env;
  if (!FREEHOLD_URL || !FREEHOLD_KEY) {
    throw new Error(
      'no Freehold is running for these tests: add "freehold-testing/vitest" to globalSetup, or call startFreehold()',
    );
  }
  return new Client(FREEHOLD_URL, FREEHOLD_KEY);
}

/** Containers keep their own time, so they do without a virtual clock. */
function environment(engine: boolean): NodeJS.ProcessEnv {
  const env = {
    FREEHOLD_DRIVERS: "process,simulated",
    FREEHOLD_LOG_LEVEL: "warn",
    ...process.env,
    ...(engine && { FREEHOLD_DRIVERS: "docker,process" }),
  };
  const hasContainers = env.FREEHOLD_DRIVERS.includes("docker");
  return hasContainers ? env : { FREEHOLD_CLOCK: "virtual", ...env };
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.ref();
    const exit = once(child, "exit");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    child.stdin!.end();
    await exit;
    clearTimeout(timer);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
