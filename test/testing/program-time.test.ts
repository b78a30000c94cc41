// The time that programs of workers and Pods read on a service with a virtual clock.

import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { findProgramTime } from "../../src/app/clock/program-time.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
const missing = !library
  ? "it needs libfaketime (apt install libfaketime)"
  : !existsSync("/usr/bin/python3") && "it needs python3";

const WEEK_S = 7 * 24 * 3_600;
const PRINT_TIME = `
import threading, time
begun = time.monotonic()
while True:
    print("time", time.time(), "waited", time.monotonic() - begun, flush=True)
    threading.Event().wait(0.05)
`;

const SLEEP = `
import time
time.sleep(0.01)
print("slept", flush=True)
time.sleep(600)
`;

/** Freehold then finds no Python, for which version 0.9.10 of the library is unusable; the programs still wait another way. */
const WITHOUT_PYTHON = { FREEHOLD_CLOCK: "virtual", PATH: "/nonexistent" };

async function startPython(service: TestService, program: string, env = {}): Promise<string> {
  const dockerStartCmd = ["/usr/bin/python3", "-c", program];
  const wanted = { driver: "process", imageName: "none", volumeInGb: 0, env, dockerStartCmd };
  const { status, text, json } = await service.call("POST", "/v1/pods", wanted);
  assert.equal(status, 201, text);
  return json.id;
}

/** What the program last printed; null before its first line. */
async function lastOf(service: TestService, pod: string) {
  const path = `/v1/pods/${pod}/logs?type=container&tail=1`;
  const { json } = await service.call("GET", path);
  const found = /time (\S+) waited (\S+)/.exec(json[0]?.text ?? "");
  return found && { time: Number(found[1]), waited: Number(found[2]) };
}

const nowS = async (service: TestService) =>
  Date.parse((await service.call("GET", "/v1/clock")).json.now) / 1_000;

test("a program reads the service's time, also after a move, and waits as before", {
  skip: missing,
}, async (t) => {
  const service = await startService(t, {
    drivers: "process",
    replicas: null,
    env: WITHOUT_PYTHON,
  });
  await service.call("POST", "/v1/clock", { advance: "7d" });
  const pod = await startPython(service, PRINT_TIME);
  const first = await until(() => lastOf(service, pod));
  const before = await nowS(service);
  assert.ok(first.time > before - 60 && first.time <= before, "the time at its start");
  const moved = await service.call("POST", "/v1/clock", { advance: "7d" });
  assert.equal(moved.status, 200, moved.text);
  const after = await until(async () => {
    const last = await lastOf(service, pod);
    return last && last.time > first.time + WEEK_S ? last : null;
  });
  assert.ok(after.time < (await nowS(service)) + 60, "not later than the service's time");
  assert.ok(after.waited < 600, "it has not waited for a week");
});

test("a program can do without", { skip: missing }, async (t) => {
  const service = await startService(t, {
    drivers: "process",
    replicas: null,
    env: WITHOUT_PYTHON,
  });
  await service.call("POST", "/v1/clock", { advance: "7d" });
  const pod = await startPython(service, PRINT_TIME, { LD_PRELOAD: "" });
  const last = await until(() => lastOf(service, pod));
  assert.ok(Math.abs(last.time - Date.now() / 1_000) < 3_600);
});

test("Python can sleep, whatever the version of the library", { skip: missing }, async (t) => {
  const env = { FREEHOLD_CLOCK: "virtual" };
  const service = await startService(t, { drivers: "process", replicas: null, env });
  const pod = await startPython(service, SLEEP);
  const texts = await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${pod}/logs?type=container`);
    return json.length > 0 ? json.map((line: { text: string }) => line.text) : null;
  });
  assert.deepEqual(texts, ["slept"]);
});

test("a library with which Python is killed is unusable", { skip: missing }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-python-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "python3"), "#!/bin/sh\nkill -KILL $$\n", { mode: 0o755 });
  const { programTime, unusable } = findProgramTime(folder, 0, { PATH: folder });
  assert.deepEqual([programTime, unusable], [null, library]);
});
