// Tests of a service that is killed while a worker of the public SDK runs, and restarted: the
// worker continues, its jobs continue, and a lost result is computed again.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { pythonWith } from "./python-environment.ts";
import { shortTimes, WORKER } from "./python-worker.ts";

test("a result lost in a crash of the service is computed again, and a late result is not", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-crash-"));
  const port = await freePort();
  const protocol = JSON.stringify({ ...shortTimes, drainMs: 3_000 });
  const start = () => new Service({ dataFolder, port, flags: ["--protocol", protocol] });
  let service = start();
  t.after(async () => {
    service.signal("SIGTERM");
    await service.ended;
    rmSync(dataFolder, { recursive: true, force: true });
  });
  assert.ok(await service.ready(), service.stderr);
  const call = caller(
    service.origin,
    readFileSync(path.join(dataFolder, "cli.key"), "utf8").trim(),
  );
  const template = await call("POST", "/v1/templates", {
    name: "crash",
    imageName: "none",
    isServerless: true,
    driver: "process",
    dockerStartCmd: [python, WORKER],
    env: { SHAPE: "concurrent" },
  });
  const { id: endpoint } = await call("POST", "/v1/endpoints", {
    templateId: template.id,
    workersMax: 1,
    idleTimeout: 60,
  });
  const run = (input: object) => call("POST", `/v2/${endpoint}/run`, { input });
  const status = (id: string) => call("GET", `/v2/${endpoint}/status/${id}`);
  const reaches = async (id: string, state: string) => {
    return until(async () => {
      const job = await status(id);
      return job.status === state ? job : null;
    });
  };

  const [first, last] = ["first", "last"].map((name) => path.join(dataFolder, name));
  const { id: short } = await run({ do: "await", file: first });
  const { id: long } = await run({ do: "await", file: last });
  await reaches(short, "IN_PROGRESS");
  const { workerId } = await reaches(long, "IN_PROGRESS");
  await service.kill();
  writeFileSync(first!, "");
  await until(() => printed(dataFolder).includes("Failed to return job results"));
  service = start();
  assert.ok(await service.ready(), service.stderr);
  writeFileSync(last!, "");

  const late = await reaches(long, "COMPLETED");
  assert.deepEqual([late.workerId, late.retries], [workerId, undefined]);
  const again = await reaches(short, "COMPLETED");
  // No retry is counted, because the service was down.
  assert.deepEqual([again.workerId, again.retries], [workerId, undefined]);
});

/** The output of workers, read from the files of a service that is down. */
function printed(dataFolder: string): string {
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true });
  const logs = files.filter((each) => each.isFile() && each.name === "log");
  return logs.map((each) => readFileSync(path.join(each.parentPath, each.name), "utf8")).join("");
}

function caller(origin: string, key: string) {
  return async (method: string, address: string, body?: object) => {
    const response = await fetch(origin + address, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${address}: ${text}`);
    return JSON.parse(text);
  };
}
