// Tests of restarts on the same data.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { seed } from "../crash/seed.ts";
import { freePort } from "../fixtures/free-port.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { type Call, clientOf, jobIn, localKey } from "./client.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-restart-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function begin(t: TestContext, dataFolder: string, drivers = "simulated", protocol = {}) {
  const port = await freePort();
  const start = async () => {
    const service = new Service({
      dataFolder,
      port,
      flags: ["--drivers", drivers, "--protocol", JSON.stringify(protocol)],
    });
    t.after(() => service.end());
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const service = await start();
  return { service, start, port };
}

async function endsWell(service: Service, signal: NodeJS.Signals): Promise<void> {
  service.signal(signal);
  assert.deepEqual(await service.ended, { code: 0, signal: null });
  assert.equal(service.stderr, "");
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} answers held calls, and the next start continues`, async (t) => {
    const dataFolder = folderFor(t);
    const { key, endpointId, workers } = await seed(dataFolder, 2);
    const { service, start } = await begin(t, dataFolder);
    const call = clientOf(service, key);
    const [one, two] = workers.map((worker) => clientOf(service, worker.key));
    const queue = `/v2/${endpointId}`;
    const running = (await call("POST", `${queue}/run`, { input: { n: 1 } })).json.id;
    const taken = await one!("GET", `${queue}/job-take/${workers[0]!.id}`);
    assert.equal(taken.json.id, running);

    const polls = [
      one!("GET", `${queue}/job-take/${workers[0]!.id}?job_in_progress=1`),
      two!("GET", `${queue}/job-stop/${workers[1]!.id}`),
    ];
    const waiting = call("GET", `${queue}/status-sync/${running}`);
    await pollsArrived(call);
    await endsWell(service, signal);
    for (const poll of polls) assert.equal((await poll).status, 204);
    assert.equal((await waiting).json.status, "IN_PROGRESS");

    await start();
    const next = await call("POST", `${queue}/run`, { input: { n: 2 } });
    assert.equal((await call("GET", `${queue}/status/${running}`)).json.status, "IN_PROGRESS");
    const done = `${queue}/job-done/${workers[0]!.id}/${running}`;
    assert.equal((await one!("POST", done, { output: "kept" })).status, 200);
    assert.equal((await call("GET", `${queue}/status/${running}`)).json.output, "kept");
    const second = await two!("GET", `${queue}/job-take/${workers[1]!.id}`);
    assert.equal(second.json.id, next.json.id);
  });
}

/** An endpoint whose workers are processes that take as long as a job requests. */
async function slowEndpoint(call: Call): Promise<string> {
  const worker = path.join(import.meta.dirname, "slow-worker.ts");
  const template = await call("POST", "/v1/templates", {
    name: "slow",
    imageName: "slow",
    isServerless: true,
    driver: "process",
    volumeInGb: 0,
    dockerStartCmd: [process.execPath, worker],
  });
  const { json } = await call("POST", "/v1/endpoints", {
    templateId: template.json.id,
    name: "slow",
    workersMin: 0,
    workersMax: 1,
  });
  return json.id;
}

test("a local worker finishes its job while the service stops", async (t) => {
  const dataFolder = folderFor(t);
  const { service, start } = await begin(t, dataFolder, "process");
  const call = clientOf(service, localKey(dataFolder));
  const endpoint = await slowEndpoint(call);
  const { json } = await call("POST", `/v2/${endpoint}/run`, { input: { ms: 1_500 } });
  const status = `/v2/${endpoint}/status/${json.id}`;
  await jobIn(call, status, "IN_PROGRESS");
  await endsWell(service, "SIGTERM");
  await start();
  const job = await call("GET", status);
  assert.deepEqual([job.json.status, job.json.output], ["COMPLETED", { slept: 1_500 }]);
});

test("a job that outlasts the drain is requeued without counting a retry", async (t) => {
  const dataFolder = folderFor(t);
  const { service, start } = await begin(t, dataFolder, "process", { drainMs: 500 });
  const call = clientOf(service, localKey(dataFolder));
  const endpoint = await slowEndpoint(call);
  const { json } = await call("POST", `/v2/${endpoint}/run`, { input: { ms: 3_000 } });
  const status = `/v2/${endpoint}/status/${json.id}`;
  await jobIn(call, status, "IN_PROGRESS");
  await endsWell(service, "SIGTERM");
  await start();
  const first = await call("GET", status);
  assert.notEqual(first.json.status, "FAILED");
  const job = await jobIn(call, status, "COMPLETED", "FAILED");
  assert.deepEqual([job.json.output, job.json.retries], [{ slept: 3_000 }, undefined]);
});

test("a start that was interrupted at any instant does not affect later starts", async (t) => {
  const dataFolder = folderFor(t);
  const port = await freePort();
  const flags = ["--drivers", "process"];
  for (let ms = 60; ms < 700; ms += 80) {
    const service = new Service({ dataFolder, port, flags });
    await pauseMs(ms);
    await service.kill();
  }
  const service = new Service({ dataFolder, port, flags });
  t.after(() => service.end());
  assert.ok(await service.ready(), service.stderr);
  const call = clientOf(service, localKey(dataFolder));
  const reply = await call("POST", "/v2/hello/runsync", { input: { name: "you" } });
  assert.deepEqual(reply.json.output, { message: "Hello, you!" });
  await endsWell(service, "SIGTERM");
});
