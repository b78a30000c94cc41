// Faults that a test switches on, through the public interface: what a client or a worker sees of each.

import assert from "node:assert/strict";
import { test } from "node:test";
import runpodSdk from "runpod-sdk";
import { readConfig } from "../../src/config/config.ts";
import { troubles } from "../../src/domain/trouble/catalog.ts";
import { freehold } from "../cli/command.ts";
import { witness } from "../fidelity/witness.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startEchoWorker } from "../sdk/echo-worker.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { alone, hitsOf, turnOff, turnOn } from "./switch-faults.ts";

const pod = { name: "struck", imageName: "freehold/test", driver: "simulated" };
const podsOf = async (service: TestService) => (await service.call("GET", "/v1/pods")).json;

test("pod-create-500-but-created: the answer is 500, and the Pod is there", async (t) => {
  const service = await alone(t);
  await turnOn(service, "pod-create-500-but-created");
  const created = await service.call("POST", "/v1/pods", pod);
  assert.deepEqual([created.status, created.json.code], [500, "internal"]);
  assert.equal(created.headers.get("freehold-fault"), "pod-create-500-but-created");
  assert.deepEqual(
    (await podsOf(service)).map(({ name }: { name: string }) => name),
    ["struck"],
  );
  assert.equal((await service.call("POST", "/v1/pods", { name: 7 })).status, 400);
  assert.equal(await hitsOf(service, "pod-create-500-but-created"), 1);
});

test("no-capacity: no Pod is created over REST, REST v2 or GraphQL", async (t) => {
  const service = await alone(t);
  await turnOn(service, "no-capacity");
  const v1 = await service.call("POST", "/v1/pods", pod);
  assert.deepEqual([v1.status, v1.json.code], [500, "no_capacity"]);
  const v2 = await service.call("POST", "/v2/pods", {});
  assert.match(v2.text, /no instances currently available/);
  const query = `mutation { podFindAndDeployOnDemand(input: {
    gpuTypeId: "NVIDIA A40", gpuCount: 1, imageName: "freehold/test", name: "struck" }) { id } }`;
  const graphql = await service.call("POST", "/graphql", { query });
  assert.match(graphql.json.errors[0].message, /no instances currently available/);
  assert.equal(
    (await service.call("POST", "/graphql", { query: "{ myself { id } }" })).status,
    200,
  );
  assert.deepEqual(await podsOf(service), []);
});

test("429-storm: runpod-sdk sees refusals until the fault is off", async (t) => {
  const service = await alone(t);
  witness(t, service, "npm runpod-sdk 1.1.2");
  const id = await service.makeEndpoint();
  await startEchoWorker(service, id);
  const endpoint = runpodSdk(service.key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
  await turnOn(service, "429-storm", { match: `/v2/${id}` });
  await assert.rejects(endpoint.run({ input: { n: 1 } }), /429/);
  const refused = await service.call("GET", `/v2/${id}/health`);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  assert.equal((await service.call("GET", "/v1/endpoints")).status, 200);
  assert.equal((await service.call("DELETE", "/v1/faults/429-storm")).status, 204);
  assert.equal((await endpoint.run({ input: { n: 1 } })).status, "IN_QUEUE");
});

test("edge-524: the request takes effect, and the answer is a page", async (t) => {
  const service = await alone(t);
  const id = await service.makeEndpoint();
  await turnOn(service, "edge-524", { match: "/run" });
  // The page is in no document of the interface, so the fixture would refuse it.
  const run = await fetch(`${service.origin}/v2/${id}/run`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ input: {} }),
  });
  assert.equal(run.status, 524);
  assert.match(run.headers.get("content-type")!, /text\/html/);
  assert.match(await run.text(), /A timeout occurred/);
  const { json } = await service.call("GET", `/v2/${id}/health`);
  assert.equal(json.jobs.inQueue, 1);
});

test("delete-then-404: the resource is gone, and the answer says that it never was there", async (t) => {
  const service = await alone(t);
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "struck",
    imageName: "freehold/test",
  });
  await turnOn(service, "delete-then-404");
  const deleted = await service.call("DELETE", `/v1/templates/${template.id}`);
  assert.deepEqual([deleted.status, deleted.json.code], [404, "resource_not_found"]);
  assert.equal((await service.call("GET", `/v1/templates/${template.id}`)).status, 404);
  assert.equal(await hitsOf(service, "delete-then-404"), 1);
});

test("graphql-null-data: every field is null", async (t) => {
  const service = await alone(t);
  await turnOn(service, "graphql-null-data");
  const query = "{ myself { id } gpuTypes { id } }";
  const { status, json } = await service.call("POST", "/graphql", { query });
  assert.deepEqual([status, json], [200, { data: { myself: null, gpuTypes: null } }]);
});

test("stale-status: runpod-sdk sees a job in progress that has ended", async (t) => {
  const service = await alone(t);
  witness(t, service, "npm runpod-sdk 1.1.2");
  const id = await service.makeEndpoint();
  await startEchoWorker(service, id);
  const endpoint = runpodSdk(service.key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
  const job = await endpoint.run({ input: { n: 1 } });
  const status = async () => (await endpoint.status(job.id)).status;
  await until(async () => (await status()) === "COMPLETED");
  await turnOn(service, "stale-status");
  assert.equal(await status(), "IN_PROGRESS");
  const { json } = await service.call("GET", `/v2/${id}/status/${job.id}`);
  assert.deepEqual([json.id, json.status, json.output], [job.id, "IN_PROGRESS", undefined]);
  await turnOff(service, "stale-status");
  assert.equal(await status(), "COMPLETED");
});

test("job-done-400: the worker's result is lost, and its job stays in progress", async (t) => {
  const service = await alone(t);
  const id = await service.makeEndpoint();
  const worker = await service.makeWorker(id);
  const { json: job } = await service.call("POST", `/v2/${id}/run`, { input: {} });
  assert.equal((await worker.call("job-take")).status, 200);
  await turnOn(service, "job-done-400");
  const done = () => worker.call(`job-done/${job.id}`, "", JSON.stringify({ output: 1 }));
  assert.equal((await done()).status, 400);
  const { json } = await service.call("GET", `/v2/${id}/status/${job.id}`);
  assert.equal(json.status, "IN_PROGRESS");
  await turnOff(service, "job-done-400");
  assert.equal((await done()).status, 200);
});

interface Health {
  jobs: Record<string, number>;
  workers: Record<string, number>;
}

const simulatedWorkers = {
  template: { driver: "simulated" as const },
  spec: { workersMin: 0, workersMax: 1 },
};

test("cold-start-90s: a job waits for its worker, which starts 90 s late", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  const id = await service.makeEndpoint(simulatedWorkers);
  await turnOn(service, "cold-start-90s");
  const { json: job } = await service.call("POST", `/v2/${id}/run`, { input: {} });
  const status = async () => (await service.call("GET", `/v2/${id}/status/${job.id}`)).json;
  await until(async () => (await hitsOf(service, "cold-start-90s")) === 1);
  await service.call("POST", "/v1/clock", { advance: "80s" });
  assert.equal((await status()).status, "IN_QUEUE");
  await service.call("POST", "/v1/clock", { advance: "15s" });
  const ended = await until(async () => {
    const { status: now, delayTime } = await status();
    return now === "COMPLETED" ? delayTime : null;
  });
  assert.ok(ended >= 90_000, `${ended}`);
});

test("registry-down: a Pod says that its image's registry is away, and starts once it is back", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  await turnOn(service, "registry-down", { match: "example/struck" });
  const image = { ...pod, imageName: "example/struck" };
  const { json } = await service.call("POST", "/v1/pods", image);
  const why = async () => (await service.call("GET", `/v1/why/${json.id}`)).json;
  await until(async () => (await why()).evidence.cause === "registry_away");
  await turnOff(service, "registry-down");
  await service.call("POST", "/v1/clock", { advance: "10m" });
  await until(async () => {
    const { publicIp } = (await service.call("GET", `/v1/pods/${json.id}`)).json;
    return publicIp !== null;
  });
});

test("job-lost-worker: a job loses its worker, and another one finishes it", async (t) => {
  const service = await alone(t);
  const id = await service.makeEndpoint({
    template: { driver: "simulated", dockerStartCmd: ["simulate", "--job-ms", "200"] },
    spec: { workersMin: 0, workersMax: 1 },
  });
  await turnOn(service, "job-lost-worker", { match: id });
  const { json: job } = await service.call("POST", `/v2/${id}/run`, { input: {} });
  await until(async () => (await hitsOf(service, "job-lost-worker")) >= 1);
  await turnOff(service, "job-lost-worker");
  const ended = await until(async () => {
    const { json } = await service.call("GET", `/v2/${id}/status/${job.id}`);
    return json.status === "COMPLETED" ? json : null;
  });
  assert.equal(ended.retries, 1);
});

test("all-throttled: runpod-sdk sees a throttled worker and a job in the queue, until it is off", async (t) => {
  const service = await alone(t);
  witness(t, service, "npm runpod-sdk 1.1.2");
  const id = await service.makeEndpoint(simulatedWorkers);
  const endpoint = runpodSdk(service.key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
  await turnOn(service, "all-throttled", { match: id });
  const job = await endpoint.run({ input: { n: 1 } });
  await until(async () => (await hitsOf(service, "all-throttled")) > 0);
  const { jobs, workers } = (await endpoint.health()) as unknown as Health;
  assert.deepEqual([workers.throttled, workers.initializing, jobs.inQueue], [1, 0, 1]);
  const why = (await service.call("GET", `/v1/why/${job.id}`)).json;
  assert.equal(why.code, "no_capacity");
  assert.match(why.sentence, /the fault all-throttled is on/);
  await turnOff(service, "all-throttled");
  await until(async () => (await endpoint.status(job.id)).status === "COMPLETED");
  assert.equal(((await endpoint.health()) as unknown as Health).workers.throttled, 0);
});

test("spot-eviction: an interruptible Pod is evicted, and another one is not", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  await turnOn(service, "spot-eviction");
  const spot = (await service.call("POST", "/v1/pods", { ...pod, interruptible: true })).json;
  const other = (await service.call("POST", "/v1/pods", pod)).json;
  const get = async (id: string) => (await service.call("GET", `/v1/pods/${id}`)).json;
  await until(async () => (await get(spot.id)).publicIp !== null);
  await until(async () => (await get(other.id)).publicIp !== null);
  await service.call("POST", "/v1/clock", { advance: "2m" });
  const evicted = await until(async () => {
    const left = await get(spot.id);
    return left.desiredStatus === "EXITED" ? left : null;
  });
  assert.match(evicted.lastStatusChange, /evicted/);
  assert.equal((await service.call("GET", `/v1/why/${spot.id}`)).json.code, "pod_evicted");
  assert.equal((await get(other.id)).desiredStatus, "RUNNING");
});

test("webhook-duplicate: the receiver gets the same message twice", async (t) => {
  const service = await alone(t);
  const id = await service.makeEndpoint();
  const receiver = await startReceiver(t);
  await turnOn(service, "webhook-duplicate", { match: receiver.url });
  await startEchoWorker(service, id);
  await service.call("POST", `/v2/${id}/run`, { input: {}, webhook: receiver.url });
  const [first, second] = await receiver.sent(2);
  assert.ok(first!.headers["webhook-id"]);
  assert.deepEqual(
    [second!.headers["webhook-id"], second!.body],
    [first!.headers["webhook-id"], first!.body],
  );
});

test("webhook-slow: the receiver hears of the end a minute later", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  const id = await service.makeEndpoint();
  const receiver = await startReceiver(t);
  await turnOn(service, "webhook-slow");
  await startEchoWorker(service, id);
  const run = await service.call("POST", `/v2/${id}/runsync`, { input: {}, webhook: receiver.url });
  assert.equal(run.json.status, "COMPLETED");
  await until(async () => (await hitsOf(service, "webhook-slow")) === 1);
  await service.call("POST", "/v1/clock", { advance: "30s" });
  assert.equal(receiver.received.length, 0);
  await service.call("POST", "/v1/clock", { advance: "31s" });
  await receiver.sent(1);
});

test("a fault ends after its time", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  await turnOn(service, "429-storm", { for: "5m" });
  assert.equal((await service.call("GET", "/v1/pods")).status, 429);
  await service.call("POST", "/v1/clock", { advance: "5m" });
  assert.equal((await service.call("GET", "/v1/pods")).status, 200);
  const { json } = await service.call("GET", "/v1/faults");
  assert.ok(json.every(({ active }: { active: unknown }) => active === null));
});

test("every fault of requests is switched off over the interface and at a terminal", async (t) => {
  const service = await alone(t);
  const names = Object.entries(troubles).flatMap(([name, { seam }]) =>
    seam === "request" || name === "disk-full" ? [name] : [],
  );
  for (const name of names) await turnOn(service, name as "429-storm");
  const cli = (name: string) => freehold(["fault", "off", name, "--data", service.dataFolder]);
  const [first, ...others] = names;
  const { code, stderr } = await cli(first!);
  assert.equal(code, 0, stderr);
  for (const name of others) {
    assert.equal((await service.call("DELETE", `/v1/faults/${name}`)).status, 204, name);
  }
  const { json } = await service.call("GET", "/v1/faults");
  assert.ok(json.every(({ active }: { active: unknown }) => active === null));
});

test("a header strikes one request only, and says where it cannot", async (t) => {
  const service = await alone(t);
  const get = (fault?: string) =>
    service.call("GET", "/v1/pods", undefined, fault ? { "freehold-fault": fault } : {});
  assert.equal((await get("429-storm")).status, 429);
  assert.equal((await get()).status, 200);
  const elsewhere = await get("job-done-400");
  assert.deepEqual([elsewhere.status, elsewhere.json.code], [400, "fault_elsewhere"]);
  const unknown = await get("rain");
  assert.match(unknown.json.error, /no fault "rain".*429-storm/);
});

test("bad requests for faults are refused with a sentence", async (t) => {
  const service = await alone(t);
  for (const [body, sentence] of [
    [{ name: "rain" }, /no fault \\"rain\\".*429-storm/],
    [{}, /name/],
    [{ name: "429-storm", for: "soon" }, /takes a duration/],
    [{ name: "429-storm", for: "0s" }, /takes a duration/],
    [{ name: "429-storm", rate: 0 }, /rate/],
    [{ name: "429-storm", rate: 2 }, /rate/],
    [{ name: "429-storm", match: "" }, /match/],
    [{ name: "429-storm", mach: "x" }, /mach/],
  ] as const) {
    const answer = await service.call("POST", "/v1/faults", body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.text, sentence);
  }
  assert.equal((await service.call("DELETE", "/v1/faults/rain")).status, 400);
  const { json } = await service.call("GET", "/v1/faults");
  assert.deepEqual(
    json.map(({ name }: { name: string }) => name),
    Object.keys(troubles),
  );
});

test("only the operator switches faults", async (t) => {
  const service = await alone(t);
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const headers = { authorization: `Bearer ${other.key}` };
  for (const method of ["GET", "POST"] as const) {
    const body = method === "POST" ? { name: "429-storm" } : undefined;
    assert.equal((await service.call(method, "/v1/faults", body, headers)).status, 403);
  }
});

test("a service that others reach allows none, unless a setting says so", async (t) => {
  const read = (env: Record<string, string>) => {
    const { faults, isLocal } = readConfig({}, env, "/");
    return faults ?? isLocal;
  };
  const url = { FREEHOLD_PUBLIC_URL: "https://cloud.example.org" };
  assert.equal(read({}), true);
  assert.equal(read({ FREEHOLD_FAULTS: "off" }), false);
  assert.equal(read(url), false);
  assert.equal(read({ ...url, FREEHOLD_FAULTS: "on" }), true);
  assert.throws(() => read({ FREEHOLD_FAULTS: "maybe" }), /FREEHOLD_FAULTS is "maybe"/);

  const service = await alone(t, url);
  const refused = await service.call("POST", "/v1/faults", { name: "429-storm" });
  assert.deepEqual([refused.status, refused.json.code], [403, "faults_not_allowed"]);
  const header = { "freehold-fault": "429-storm" };
  assert.equal((await service.call("GET", "/v1/pods", undefined, header)).status, 200);
});

test("faults end for good once a request came through a reverse proxy", async (t) => {
  const service = await alone(t);
  await turnOn(service, "429-storm");
  await service.call("GET", "/metrics", undefined, { "x-forwarded-for": "203.0.113.7" });
  assert.equal((await service.call("GET", "/v1/pods")).status, 200);
  assert.equal((await service.call("POST", "/v1/faults", { name: "429-storm" })).status, 403);
});

test("the command line lists faults and switches them", async (t) => {
  const service = await alone(t);
  const fault = (...args: string[]) => freehold(["fault", ...args, "--data", service.dataFolder]);
  const on = await fault("on", "429-storm", "--for", "5m", "--rate", "1", "--match", "/v1/pods");
  assert.match(on.stdout, /429-storm +all of \/v1\/pods until \S+ [\d:]{8} /, on.stderr);
  assert.equal((await service.call("GET", "/v1/pods")).status, 429);
  assert.match((await fault()).stdout, /429-storm .* 1 +Requests of clients/);
  assert.equal((await fault("off", "429-storm")).code, 0);
  assert.equal((await service.call("GET", "/v1/pods")).status, 200);
  assert.match((await fault("on", "rain")).stderr, /no fault "rain"/);
  assert.match((await fault("on", "429-storm", "--rate", "7")).stderr, /--rate is "7"/);
});
