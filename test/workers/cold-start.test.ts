// The parts of a worker's cold start, as its page and `why` show them.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { coldStartOf } from "./cold-start.ts";

const PULL_MS = 40_000;
const START_MS = 9_000;

async function firstWorker(service: TestService, endpoint: string) {
  const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers`);
  return json[0];
}

test("a worker shows the parts of its start, and why says which one takes long", async (t) => {
  const env = { FREEHOLD_CLOCK: "virtual" };
  const service = await startService(t, { replicas: null, env });
  const advance = () => service.call("POST", "/v1/clock", { advance: "5s" });
  const command = ["simulate", "--pull-ms", `${PULL_MS}`, "--start-ms", `${START_MS}`];
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated", dockerStartCmd: command },
    spec: { workersMax: 1 },
  });
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const why = async (id: string) => (await service.call("GET", `/v1/why/${id}`)).json;
  /** The worker once the part of its start that lasts is this one. */
  const reaches = (part: string) =>
    until(async () => {
      const worker = await firstWorker(service, endpoint);
      if (worker?.coldStart.at(-1).part === part) return worker;
      await advance();
      return null;
    });
  const pulling = await reaches("image_pull");
  assert.equal(pulling.coldStart.at(-1).endedAt, undefined);
  await advance();
  for (const id of [pulling.id, job.id]) {
    const { code, sentence } = await why(id);
    assert.equal(code, "image_pulling", sentence);
    assert.match(sentence, /has been pulling its image for [\d.]+ s\.$/);
  }
  await reaches("program");
  const started = /was started .* ago and has not asked for a job yet/;
  for (const id of [pulling.id, job.id]) assert.match((await why(id)).sentence, started);
  const done = await until(async () => {
    const worker = await firstWorker(service, endpoint);
    if (worker.served === 1) return worker;
    await advance();
    return null;
  });
  const parts = coldStartOf(done);
  const names = parts.map(({ part }) => part);
  assert.deepEqual(names, ["scheduling", "image_pull", "container", "program"]);
  const ms = new Map(parts.map((each) => [each.part, each.ms]));
  assert.ok(ms.get("image_pull")! >= PULL_MS);
  assert.ok(ms.get("program")! >= START_MS);
  assert.ok(done.firstJobAt >= done.readyAt);
});

test("a process has no image, and a worker of the library says how long it imported", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const worker = path.join(import.meta.dirname, "../tracing/trace-worker.ts");
  const template = { driver: "process" as const, dockerStartCmd: [process.execPath, worker] };
  const endpoint = await service.makeEndpoint({ template });
  const run = await service.call("POST", `/v2/${endpoint}/runsync?wait=60000`, { input: {} });
  assert.equal(run.json.status, "COMPLETED", run.text);
  const { json } = await service.call("GET", `/v1/workers/${run.json.workerId}`);
  const names = coldStartOf(json).map(({ part }) => part);
  assert.deepEqual(names.slice(0, 2), ["scheduling", "container"]);
  assert.deepEqual(names.slice(-2), ["import", "first_poll"]);
  assert.ok(json.firstJobAt >= json.readyAt);
});

test("a worker's account of its start is kept only if it can be true", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  /** The last parts of the start of a worker that pings with this header. */
  const partsAfter = async (header: string | null) => {
    const { id, key } = await service.makeWorker(endpoint);
    const headers = { authorization: key, ...(header && { "freehold-worker-start": header }) };
    await service.call("GET", `/v2/${endpoint}/ping/${id}`, undefined, headers);
    const { json } = await service.call("GET", `/v1/workers/${id}`);
    return json.coldStart.map(({ part }: { part: string }) => part).slice(-2);
  };
  assert.deepEqual(await partsAfter("process=0, loaded=0"), ["import", "first_poll"]);
  const untrue = ["process=9999999999, loaded=0", "process=3, loaded=5", "process=-1, loaded=-1"];
  for (const header of [null, ...untrue])
    assert.deepEqual(await partsAfter(header), ["container", "program"], `${header}`);
});
