// Tests of workers, their logs and releases over HTTP, and of the account.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { make } from "./make-endpoint.ts";

test("a worker is listed with its phases from start to end", async (t) => {
  const service = await startService(t, { protocol: { pollHoldMs: 50 } });
  const { json: endpoint } = await make(service);
  const worker = await service.makeWorker(endpoint.id);
  const address = `/v1/workers/${worker.id}`;
  const starting = await service.call("GET", address);
  assert.partialDeepStrictEqual(starting.json, {
    id: worker.id,
    endpointId: endpoint.id,
    version: 1,
    phase: "starting",
    driver: "protocol",
    jobs: 0,
    served: 0,
  });
  assert.equal(starting.json.firstJobAt, undefined);
  await service.call("POST", `/v2/${endpoint.id}/run`, { input: {} });
  await worker.call("job-take");
  await worker.call("ping", "?job_id=x&runpod_version=1.7.13");
  const busy = (await service.call("GET", address)).json;
  assert.deepEqual([busy.phase, busy.jobs, busy.sdkVersion], ["busy", 1, "1.7.13"]);
  assert.ok(busy.readyAt && busy.seenAt && busy.startedAt);
  assert.ok(busy.firstJobAt >= busy.readyAt);
  const listed = await service.call("GET", `/v1/endpoints/${endpoint.id}/workers`);
  assert.deepEqual(
    listed.json.map((each: { id: string }) => each.id),
    [worker.id],
  );
  assert.deepEqual((await service.call("GET", `${address}/logs?type=container`)).json, []);
  const unknown = await service.call("GET", "/v1/workers/nothere/logs");
  assert.deepEqual([unknown.status, unknown.json.code], [404, "worker_not_found"]);
  const nowhere = await service.call("GET", "/v1/endpoints/nothere/workers");
  assert.deepEqual([nowhere.status, nowhere.json.code], [404, "endpoint_not_found"]);
});

test("a process's output can be read while it runs and after it ended", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const script = "console.log('one'); console.log('two'); setInterval(() => {}, 1000)";
  const template = {
    name: "printer",
    imageName: "none",
    driver: "process",
    dockerStartCmd: [process.execPath, "-e", script],
  };
  const { json: created } = await service.call("POST", "/v1/templates", template);
  const settings = { templateId: created.id, workersMin: 1, workersMax: 1 };
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", settings);
  const workers = async () =>
    (await service.call("GET", `/v1/endpoints/${endpoint.id}/workers`)).json as { id: string }[];
  const logs = async (tail: number) => {
    const [worker] = await workers();
    if (!worker) return [];
    const { json } = await service.call(
      "GET",
      `/v1/workers/${worker.id}/logs?type=container&tail=${tail}`,
    );
    return json.map((line: { text: string }) => line.text);
  };
  await until(async () => (await logs(9)).length >= 2);
  assert.deepEqual(await logs(9), ["one", "two"]);
  assert.deepEqual(await logs(1), ["two"]);
  const wrong = await service.call("GET", `/v1/workers/${(await workers())[0]!.id}/logs?tail=-1`);
  assert.match(wrong.json.message, /"tail" must be a whole number from 0 to 5000; it is "-1"/);
});

test("each release has its content and the reason for its version", async (t) => {
  const service = await startService(t);
  const { json: endpoint } = await make(service);
  await service.call("PATCH", `/v1/templates/${endpoint.templateId}`, {
    imageName: "img:2",
    dockerEntrypoint: ["a"],
    dockerStartCmd: ["b"],
    env: { A: "1" },
  });
  await service.call("PATCH", `/v1/endpoints/${endpoint.id}`, { gpuCount: 2 });
  const { json } = await service.call("GET", `/v1/endpoints/${endpoint.id}/releases`);
  const second = {
    image: "img:2",
    entrypoint: ["a"],
    command: ["b"],
    driver: "docker",
    env: { A: "1" },
  };
  assert.partialDeepStrictEqual(json, [
    { version: 3, reason: "changed: gpuCount", ...second },
    {
      version: 2,
      reason: "its template changed: imageName, dockerEntrypoint, dockerStartCmd, env",
      ...second,
    },
    {
      version: 1,
      reason: "created",
      image: "img",
      entrypoint: [],
      command: [],
      driver: "docker",
      env: {},
    },
  ]);
});

test("the account's webhook secret is set, shown once and removed", async (t) => {
  const service = await startService(t);
  const { json: before } = await service.call("GET", "/v1/account");
  assert.match(before.id, /^user_/);
  const set = async (webhookSecret: unknown) =>
    (await service.call("PATCH", "/v1/account", { webhookSecret })).json;
  const created = await set("generate");
  assert.match(created.webhookSecret, /^whsec_/);
  const read = (await service.call("GET", "/v1/account")).json;
  assert.deepEqual(read, { ...before, webhookSecretHint: created.webhookSecret.slice(-4) });
  const own = `whsec_${Buffer.from("k".repeat(32)).toString("base64")}`;
  assert.equal((await set(own)).webhookSecret, own);
  assert.deepEqual(await set(null), before);
  assert.match((await set("short")).message, /"webhookSecret" must be "generate" for a new secret/);
  assert.match((await set(undefined)).message, /"webhookSecret" is missing/);
  const unpadded = (await set(own.replace(/=+$/, ""))).message;
  assert.match(unpadded, /"webhookSecret" must be .* padded with "="; "generate" makes a new one/);
});
