// Tests of signals: however the service was started, it ends, leaves no process and releases its
// data.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";

const root = path.join(import.meta.dirname, "..", "..");
const npmStart = ["npm", "start", "--silent"];
const launcher = [process.execPath, path.join(root, "bin", "run.mjs"), "bin/freehold.mjs", "up"];
const noNpm = spawnSync("npm", ["--version"]).error && "there is no npm here";

interface Started {
  child: ChildProcess;
  /** Resolves to the exit code, or the signal's name. */
  ended: Promise<number | string>;
  dataFolder: string;
  port: number;
}

async function start(t: TestContext, command: string[]): Promise<Started> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-signals-"));
  const port = await freePort();
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    detached: true, // its own process group, as a shell creates for every command
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      FREEHOLD_LISTEN: `127.0.0.1:${port}`,
      FREEHOLD_DATA: dataFolder,
      FREEHOLD_DRIVERS: "simulated",
    },
  });
  t.after(() => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {} // it ended as expected
    rmSync(dataFolder, { recursive: true, force: true });
  });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  const address = `http://127.0.0.1:${port}/readyz`;
  await until(async () => {
    assert.equal(child.exitCode, null, "it ended by itself");
    return (await fetch(address).catch(() => null))?.status === 200;
  });
  return { child, ended, dataFolder, port };
}

/** Only one process can use a data folder, so a successful start proves that none is left. */
async function isFree(t: TestContext, { dataFolder, port }: Started): Promise<void> {
  const service = new Service({ dataFolder, port, flags: ["--drivers", "simulated"] });
  t.after(() => service.kill());
  assert.ok(await service.ready(), service.stderr);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`the launcher forwards ${signal} and exits with the service's code`, async (t) => {
    const started = await start(t, launcher);
    started.child.kill(signal);
    assert.equal(await started.ended, 0);
    await isFree(t, started);
  });
}

test("Ctrl-C, which signals both the launcher and the service", async (t) => {
  const started = await start(t, launcher);
  process.kill(-started.child.pid!, "SIGINT");
  assert.equal(await started.ended, 0);
  await isFree(t, started);
});

test("npm start: Ctrl-C in a terminal", { skip: noNpm }, async (t) => {
  const started = await start(t, npmStart);
  process.kill(-started.child.pid!, "SIGINT");
  await started.ended;
  await isFree(t, started);
});

test("npm start: SIGTERM, as a supervisor sends it", { skip: noNpm }, async (t) => {
  const started = await start(t, npmStart);
  started.child.kill("SIGTERM");
  await started.ended;
  await isFree(t, started);
});

test("the port is free right after the end", async (t) => {
  const started = await start(t, launcher);
  started.child.kill("SIGTERM");
  await started.ended;
  await assert.rejects(fetch(`http://127.0.0.1:${started.port}/healthz`));
});
