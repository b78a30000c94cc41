// A test process that is killed or interrupted while its service runs a worker: all that it started ends.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { until } from "../fixtures/until.ts";

/** What the tests print once the worker runs, as JSON on a line of its own. */
interface Printed {
  url: string;
  /** The service's data folder. */
  data: string;
  /** The worker's process. */
  worker: number;
}

/** Sends the signal to the process and its group, as a terminal and a CI system do. */
export async function leavesNothing(
  [program = "", ...args]: string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  signal: NodeJS.Signals,
): Promise<void> {
  const tests = spawn(program, args, { cwd, env, detached: true });
  let text = "";
  tests.stdout.on("data", (piece) => {
    text += piece;
  });
  let hasEnded = false;
  tests.on("exit", () => {
    hasEnded = true;
  });
  const line = await until(() => hasEnded || /^\{.*\}$/m.exec(text)?.[0]);
  assert.ok(typeof line === "string", text);
  const { url, data, worker } = JSON.parse(line) as Printed;
  assert.ok(existsSync(data), "the data folder");
  assert.ok(isAlive(worker), "the worker");
  process.kill(-tests.pid!, signal);
  await until(() => !existsSync(data) && !isAlive(worker));
  await assert.rejects(fetch(url));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
