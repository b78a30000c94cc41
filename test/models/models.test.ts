// Models of endpoints, from a stand-in of the hub to workers that read them.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { clientOf, localKey } from "../boot/client.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { commitOf, type HubModel, startModelHub } from "../fixtures/model-hub.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { MODEL_READER, makeModelEndpoint, readFileOf } from "./worker.ts";

const process_ = { imageName: "none", dockerStartCmd: [process.execPath, "-e", MODEL_READER] };
const alone = { replicas: null };

const small: HubModel = { files: { "config.json": "the config", w: randomBytes(50_000) } };

const startWith = (t: Parameters<typeof startService>[0], source: string, env = {}) =>
  startService(t, {
    ...alone,
    drivers: "process",
    env: { FREEHOLD_MODEL_SOURCE: source, ...env },
  });

const workersOf = async (service: TestService, id: string) =>
  (await service.call("GET", `/v1/endpoints/${id}/workers`)).json;

const modelsOf = async (service: TestService) =>
  (await service.call("GET", "/v1/machines")).json[0].models;

test("a process reads the model of its endpoint by HF_HUB_CACHE", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  const service = await startWith(t, hub.origin);
  assert.deepEqual(await modelsOf(service), []);
  const id = await makeModelEndpoint(service, process_, ["o/n"]);
  const found = await readFileOf(service, id, "o/n", "config.json");
  assert.deepEqual([found.text, found.offline], ["the config", "1"]);
  assert.equal(found.commit, commitOf("o/n"));
  const model = { model: "o/n", commit: commitOf("o/n"), bytes: 50_010, downloadedBytes: 50_010 };
  await until(async () => (await modelsOf(service)).length === 1);
  assert.deepEqual(await modelsOf(service), [model]);
  const [release] = (await service.call("GET", `/v1/endpoints/${id}/releases`)).json;
  const pinned = { model: "o/n", revision: "main", commit: commitOf("o/n") };
  assert.deepEqual(release.models, [pinned]);
  assert.deepEqual(release.modelReferences, ["https://huggingface.co/o/n:main"]);
});

test("a release keeps its commit, and a new release gets the latest", async (t) => {
  const [v1, v2] = [commitOf("o/n", "1"), commitOf("o/n", "2")];
  const revisions: Record<string, string> = { main: v1 };
  const hub = await startModelHub(t, { "o/n": { ...small, revisions } });
  const service = await startWith(t, hub.origin);
  const id = await makeModelEndpoint(service, process_, ["o/n"], { workersMax: 3 });
  assert.equal((await readFileOf(service, id, "o/n", "config.json")).commit, v1);
  revisions.old = v1;
  revisions.main = v2;
  // Another worker of the same release.
  await service.call("PATCH", `/v1/endpoints/${id}`, { workersMin: 2 });
  await until(async () => (await workersOf(service, id)).filter(isIdle).length >= 2);
  for (let n = 0; n < 6; n++) {
    assert.equal((await readFileOf(service, id, "o/n", "config.json")).commit, v1);
  }
  await service.call("PATCH", `/v1/endpoints/${id}`, { vcpuCount: 4 });
  await until(async () => (await readFileOf(service, id, "o/n", "config.json")).commit === v2);
});

const isIdle = ({ phase }: { phase: string }) => phase === "idle";

test("a worker waits for its model, says how far it is, and starts without it nowhere", async (t) => {
  const hub = await startModelHub(t, { "o/n": { files: { w: randomBytes(1_000_000) } } });
  let finish = () => {};
  hub.fault = (_, response, body) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 430_000));
    finish = () => response.end(body.subarray(430_000));
    return true;
  };
  const service = await startWith(t, hub.origin);
  const id = await makeModelEndpoint(service, process_, ["o/n"]);
  const { json } = await service.call("POST", `/v2/${id}/run`, {
    input: { repository: "models--o--n", file: "w" },
  });
  const worker = await until(async () => {
    const [first] = await workersOf(service, id);
    return first?.download?.downloadedBytes === 430_000 && first;
  });
  assert.equal(worker.phase, "starting");
  assert.deepEqual(worker.download, { model: "o/n", bytes: 1_000_000, downloadedBytes: 430_000 });
  const whyOf = async (what: string) => (await service.call("GET", `/v1/why/${what}`)).json;
  const why = await whyOf(worker.id);
  assert.equal(why.code, "model_downloading");
  assert.match(why.sentence, /^Worker \w+ is downloading the model o\/n: 43% of 1\.0 MB\.$/);
  assert.match((await whyOf(json.id)).sentence, /worker \w+ is downloading the model o\/n: 43%/);
  // The log has the first report of each ten percent.
  const logs = (await service.call("GET", `/v1/workers/${worker.id}/logs`)).text;
  assert.match(logs, /downloading the model o\/n: 4[0-3]% of 1\.0 MB/);
  hub.fault = null;
  finish();
  await until(
    async () =>
      (await service.call("GET", `/v2/${id}/status/${json.id}`)).json.status === "COMPLETED",
  );
  assert.equal((await workersOf(service, id))[0].download, undefined);
});

test("a download that no worker wants any more ends", async (t) => {
  const hub = await startModelHub(t, { "o/n": { files: { w: randomBytes(1_000_000) } } });
  let isCut = false;
  hub.fault = (_, response, body) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 1_000));
    response.on("close", () => {
      isCut = true;
    });
    return true;
  };
  const service = await startWith(t, hub.origin);
  const id = await makeModelEndpoint(service, process_, ["o/n"], { workersMin: 1 });
  await until(async () => (await modelsOf(service))[0]?.downloadedBytes === 1_000);
  await service.call("DELETE", `/v1/endpoints/${id}`);
  await until(() => isCut);
  await until(async () => (await modelsOf(service)).length === 0);
});

test("a model that does not exist, or is private, ends the worker with the reason", async (t) => {
  const hub = await startModelHub(t, { "o/secret": { ...small, privateTo: "hf_own" } });
  const service = await startWith(t, hub.origin);
  const failed = async (model: string, env = {}) => {
    const id = await makeModelEndpoint(service, { ...process_, env }, [model], { workersMin: 1 });
    const ended = await until(async () => (await workersOf(service, id)).find(isEnded));
    const why = (await service.call("GET", `/v1/why/${ended.id}`)).json;
    await service.call("DELETE", `/v1/endpoints/${id}`);
    return why;
  };
  const missing = await failed("o/none", { HF_TOKEN: "hf_x" });
  assert.equal(missing.code, "model_not_found");
  assert.match(missing.sentence, /could not be started .*: there is no model o\/none\.$/);
  assert.match(missing.next, /owner, the name or the revision/);
  const secret = await failed("o/secret");
  assert.equal(secret.code, "model_unauthorised");
  assert.match(secret.sentence, /o\/secret cannot be read without a token/);
  assert.match(secret.next, /HF_TOKEN/);
});

const isEnded = ({ phase }: { phase: string }) => phase === "ended";

test("a private model opens by a secret", async (t) => {
  const hub = await startModelHub(t, { "o/secret": { ...small, privateTo: "hf_own" } });
  const service = await startWith(t, hub.origin);
  await service.call("POST", "/v1/secrets", { name: "hugging_face", value: "hf_own" });
  const env = { HF_TOKEN: "{{ RUNPOD_SECRET_hugging_face }}" };
  const id = await makeModelEndpoint(service, { ...process_, env }, ["o/secret"]);
  assert.equal((await readFileOf(service, id, "o/secret", "config.json")).text, "the config");
});

test("no machine has a cache if models are off", async (t) => {
  const service = await startWith(t, "off");
  const id = await makeModelEndpoint(service, process_, ["o/n"]);
  const { json } = await service.call("POST", `/v2/${id}/run`, { input: {} });
  const why = await until(async () => {
    const answer = (await service.call("GET", `/v1/why/${json.id}`)).json;
    return answer.code === "no_capacity" && answer;
  });
  assert.match(why.sentence, /no machine can run .*: it has no model cache\)/);
  assert.deepEqual(await workersOf(service, id), []);
  assert.equal(await modelsOf(service), undefined);
});

test("models of running workers are not evicted, and others are", async (t) => {
  const model = () => ({ files: { "config.json": "x", w: randomBytes(60_000) } });
  const hub = await startModelHub(t, { "o/a": model(), "o/b": model(), "o/c": model() });
  const service = await startWith(t, hub.origin, { FREEHOLD_MODEL_CACHE: "0.00015" });
  const always = { workersMin: 1 };
  const a = await makeModelEndpoint(service, process_, ["o/a"], always);
  await readFileOf(service, a, "o/a", "config.json");
  const b = await makeModelEndpoint(service, process_, ["o/b"], { idleTimeout: 1 });
  await readFileOf(service, b, "o/b", "config.json");
  await service.call("DELETE", `/v1/endpoints/${b}`);
  await until(async () => (await service.call("GET", `/v1/endpoints/${b}/workers`)).status === 404);
  const c = await makeModelEndpoint(service, process_, ["o/c"], always);
  assert.equal((await readFileOf(service, c, "o/c", "config.json")).text, "x");
  const names = async () =>
    (await modelsOf(service)).map(({ model }: { model: string }) => model).join();
  await until(async () => (await names()) === "o/a,o/c");
  const d = await makeModelEndpoint(service, process_, ["o/b"], always);
  const ended = await until(async () => (await workersOf(service, d)).find(isEnded));
  const why = (await service.call("GET", `/v1/why/${ended.id}`)).json;
  assert.equal(why.code, "model_too_large");
  assert.match(why.sentence, /o\/b of 61 kB does not fit/);
  assert.equal(await names(), "o/a,o/c");
});

test("a killed service continues its download", async (t) => {
  const hub = await startModelHub(t, { "o/n": { files: { w: Buffer.alloc(2_000_000, "x") } } });
  hub.fault = (_, response, body) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 700_000));
    return true;
  };
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-models-"));
  addCleanup(t, () => rmSync(dataFolder, { recursive: true, force: true }));
  const port = await freePort();
  const env = { FREEHOLD_MODEL_SOURCE: hub.origin, FREEHOLD_DRIVERS: "process" };
  const start = async () => {
    const service = new Service({ dataFolder, port, env });
    addCleanup(t, () => service.end());
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const killed = await start();
  const call = clientOf(killed, localKey(dataFolder)) as TestService["call"];
  const service = { call } as TestService;
  const id = await makeModelEndpoint(service, process_, ["o/n"], { workersMin: 1 });
  await until(async () => (await modelsOf(service))[0]?.downloadedBytes === 700_000);
  await killed.kill();
  hub.fault = null;
  hub.requests.length = 0;
  await start();
  assert.equal((await readFileOf(service, id, "o/n", "w")).text.length, 2_000_000);
  const ranges = hub.requests.filter(({ host }) => host === "content").map(({ range }) => range);
  assert.deepEqual(ranges, ["bytes=700000-"]);
});
