// Budgets: what they stop, what they refuse, and what goes on afterwards.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { AheadClock } from "../ahead-clock.ts";
import type { TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
// 0.44 dollars per hour, and less than a hundredth for its disk.
const A40 = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
const TEMPLATE = { imageName: "i", dockerStartCmd: ["fake-worker"], driver: "fake" as const };

/** After a jump of the clock the machine is soon heard of again. */
const protocol = { beatMs: 50 };

const movingIn = (house: TestHouse, clock: AheadClock) => ({
  async pass(ms: number) {
    clock.jump(ms);
    await until(async () => {
      const { json } = await house.call("GET", "/v1/machines");
      return json.every(({ online }: { online: boolean }) => online) || null;
    }, "");
  },
});

async function stage(t: TestContext) {
  const clock = new AheadClock("2027-03-10T10:05:00Z");
  const house = await fakeHouse(t, { clock, protocol });
  return { house, ...toolsOf(house), ...movingIn(house, clock), clock };
}

function toolsOf(house: TestHouse) {
  const running = async (more: object = {}, headers: Record<string, string> = {}) => {
    const { json } = await house.call("POST", "/v1/pods", { ...A40, ...more }, headers);
    return until(podsOf(house).reached, json.id);
  };
  return {
    running,
    budget: async (body: object) => (await house.call("POST", "/v1/budgets", body)).json,
    read: async (id: string) => (await house.call("GET", `/v1/budgets/${id}`)).json,
    why: async (id: string) => (await house.call("GET", `/v1/why/${id}`)).json,
    newKey: async () => {
      const { json } = await house.call("POST", "/v1/keys", { name: "handed out" });
      return { id: json.id as string, headers: { authorization: `Bearer ${json.key}` } };
    },
  };
}

test("a Pod ends by its budget with its owner gone, and says so", async (t) => {
  const { pass, house, running, budget, read, why } = await stage(t);
  const made = await budget({ period: "day", limit: 1, name: "tests" });
  assert.deepEqual([made.scope, made.state, made.spent], ["account", "ok", 0]);
  assert.equal(made.periodEnd, "2027-03-11T00:00:00.000Z");
  const pod = await running({ locked: true });
  await pass(2 * HOUR);
  await until(async (id) => ((await read(id)).warnedAt ? true : null), made.id);
  const warned = await read(made.id);
  assert.equal(warned.state, "warning");
  assert.ok(warned.spent > 0.8 && warned.spent < 1, String(warned.spent));
  assert.equal((await podsOf(house).get(pod.id)).desiredStatus, "RUNNING");
  const { text } = await house.call("GET", `/v1/pods/${pod.id}/logs?source=system`);
  assert.match(text, /80 % of the account's budget \w+ \(tests\) of 1 dollars per day are spent/);

  await pass(HOUR);
  const exited = await until(podsOf(house).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold: .* is spent$/);
  const told = await why(pod.id);
  assert.equal(told.code, "pod_budget_spent");
  assert.match(told.sentence, /the account's budget \w+ \(tests\) of 1 dollars per day is spent/);
  const spent = await read(made.id);
  assert.equal(spent.state, "spent");
  assert.ok(spent.spent > 1.3 && spent.spent < 1.4 && spent.spentAt, JSON.stringify(spent));

  for (const [address, body] of [
    [`/v1/pods/${pod.id}/start`, undefined],
    ["/v1/pods", A40],
    ["/v1/networkvolumes", { name: "v", size: 10, dataCenterId: "EU-RO-1" }],
  ] as const) {
    const answer = await house.call("POST", address, body);
    assert.deepEqual([answer.status, answer.json.code], [402, "budget_spent"], address);
    assert.match(answer.json.error, /^The account's budget .* before 2027-03-11T00:00:00.000Z/);
  }
  const raised = await house.call("PATCH", `/v1/budgets/${made.id}`, { limit: 5 });
  assert.deepEqual([raised.json.state, raised.json.limit], ["ok", 5]);
  const started = await house.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([started.status, started.json.desiredStatus], [200, "RUNNING"]);
});

test("a key's budget stops what was made with it, and nothing else", async (t) => {
  const { pass, house, running, budget, newKey, why } = await stage(t);
  const key = await newKey();
  await budget({ period: "month", limit: 0.3, keyId: key.id });
  const [its, another] = [await running({}, key.headers), await running()];
  await pass(HOUR);
  await until(podsOf(house).exited, its.id);
  assert.match((await why(its.id)).sentence, /its key's budget/);
  assert.equal((await podsOf(house).get(another.id)).desiredStatus, "RUNNING");
  const refused = await house.call("POST", "/v1/pods", A40, key.headers);
  assert.deepEqual([refused.status, refused.json.code], [402, "budget_spent"]);
  assert.equal((await house.call("POST", "/v1/pods", A40)).status, 201);
});

test("who holds a key with a budget gets round it by no other key and no other limit", async (t) => {
  const { house, budget, newKey } = await stage(t);
  const key = await newKey();
  const { id } = await budget({ period: "hour", limit: 1, keyId: key.id });
  const tries: [string, string, object?][] = [
    ["PATCH", `/v1/budgets/${id}`, { limit: 100 }],
    ["DELETE", `/v1/budgets/${id}`],
    ["POST", "/v1/budgets", { period: "hour", limit: 1 }],
    ["POST", "/v1/keys", { name: "another" }],
  ];
  for (const [method, address, body] of tries) {
    const answer = await house.call(method, address, body, key.headers);
    assert.deepEqual([answer.status, answer.json.code], [403, "forbidden"], address);
    assert.match(answer.json.error, /held to a budget/);
  }
  const { json: keys } = await house.call("GET", "/v1/keys");
  for (const { id: keyId } of keys.filter((each: { id: string }) => each.id !== key.id)) {
    const { status } = await house.call("POST", "/v1/budgets", { period: "day", limit: 1, keyId });
    assert.ok(status === 201 || status === 403, String(status));
  }
});

test("an endpoint's queue waits while its budget is spent, says why, and goes on", async (t) => {
  const { pass, house, budget, why } = await stage(t);
  const spec = {
    workersMin: 1,
    computeType: "CPU" as const,
    cpuFlavorIds: ["cpu3g"],
    vcpuCount: 4,
  };
  const endpoint = await house.makeEndpoint({ template: TEMPLATE, spec });
  await until(async () => {
    const { json } = await house.call("GET", `/v2/${endpoint}/health`);
    return json.workers.idle > 0 ? true : null;
  }, endpoint);
  await budget({ period: "hour", limit: 0.05, endpointId: endpoint });
  await pass(30 * MINUTE);
  await until(async () => {
    const { json } = await house.call("GET", `/v2/${endpoint}/health`);
    return Object.values(json.workers).every((count) => count === 0) || null;
  }, endpoint);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const told = await why(job.id);
  assert.equal(told.code, "budget_spent");
  assert.match(told.sentence, /the endpoint's budget .* before 2027-03-10T11:00:00.000Z/);
  await pass(30 * MINUTE);
  await until(async (id) => {
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === "COMPLETED" ? true : null;
  }, job.id);
});

test("a worker that has a job when the budget is spent has a while to finish it", async (t) => {
  const clock = new AheadClock("2027-03-10T10:05:00Z");
  const house = await fakeHouse(t, { clock, protocol: { ...protocol, budgetGraceMs: 1_000 } });
  const template = { ...TEMPLATE, dockerStartCmd: ["fake-worker", "--job-ms", "86400000"] };
  const size = { computeType: "CPU" as const, cpuFlavorIds: ["cpu3g"], vcpuCount: 4 };
  const endpoint = await house.makeEndpoint({ template, spec: { workersMax: 1, ...size } });
  const job = { input: {}, policy: { executionTimeout: 604_800_000 } };
  const { id } = (await house.call("POST", `/v2/${endpoint}/run`, job)).json;
  const inState = (wanted: string) => async () => {
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === wanted ? json : null;
  };
  const { workerId } = await until(inState("IN_PROGRESS"), id);
  await toolsOf(house).budget({ period: "hour", limit: 0.05, endpointId: endpoint });
  await movingIn(house, clock).pass(30 * MINUTE);
  const { retries } = await until(inState("IN_QUEUE"), id);
  assert.equal(retries, undefined, "it was no fault of the job");
  const told = await house.call("GET", `/v1/workers/${workerId}/logs?source=system`);
  const words = told.text.match(/[^"]*budget[^"]*is spent/g)?.map((line) => line.split(":")[0]);
  assert.deepEqual(words, ["is to end when it has no jobs left", "is to end"]);
  const { json: audit } = await house.call("GET", `/v1/audit?resourceId=${workerId}`);
  const done = audit.map((each: Record<string, string>) => [each.actor, each.operation]);
  assert.deepEqual(done, [
    ["system", "endWorker"],
    ["system", "drainWorker"],
  ]);
  assert.match(audit[0].detail, /^the endpoint's budget .* is spent$/);
});

test("what was overspent while the service was down is stopped before it answers", async (t) => {
  const { clock, house, running, budget } = await stage(t);
  await budget({ period: "day", limit: 1 });
  // The disk of a stopped Pod goes on costing, 0.274 dollars per hour.
  const disk = await running({ volumeInGb: 1_000 });
  await house.call("POST", `/v1/pods/${disk.id}/stop`);
  const pod = await running();
  await house.stop();
  clock.jump(5 * HOUR);
  const again = await fakeHouse(t, { clock, protocol, dataFolder: house.dataFolder });
  const { desiredStatus, lastStatusChange } = await podsOf(again).get(pod.id);
  assert.equal(desiredStatus, "EXITED");
  assert.match(lastStatusChange, /is spent$/);
  assert.equal(again.house.drivers[0]!.name, "fake");
  assert.deepEqual(await again.house.drivers[0]!.list(), [], "nothing was started");
});

test("a budget that makes no sense is refused; the same request makes one", async (t) => {
  const { house, budget, newKey } = await stage(t);
  const key = await newKey();
  const endpoint = await house.makeEndpoint();
  const day = { period: "day" };
  const bad = [
    {},
    { ...day },
    { period: "year", limit: 1 },
    ...[0, -1, "5", null, 1e-7, 1e10].map((limit) => ({ ...day, limit })),
    { ...day, limit: 1, endpointId: "nobody" },
    { ...day, limit: 1, keyId: "nobody" },
    { ...day, limit: 1, keyId: key.id, endpointId: endpoint },
    { ...day, limit: 1, name: "x".repeat(192) },
    { ...day, limit: 1, spent: 0 },
  ];
  for (const body of bad) {
    const { status, json } = await house.call("POST", "/v1/budgets", body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(["invalid_body", "unknown_field"].includes(json.code), json.code);
  }
  const once = { "idempotency-key": "b1" };
  const body = { period: "day", limit: 1.5, endpointId: endpoint };
  const first = await house.call("POST", "/v1/budgets", body, once);
  const second = await house.call("POST", "/v1/budgets", body, once);
  assert.deepEqual([first.status, second.json.id], [201, first.json.id]);
  assert.equal((await house.call("GET", "/v1/budgets")).json.length, 1);
  const renamed = await house.call("PATCH", `/v1/budgets/${first.json.id}`, { name: "n" });
  assert.deepEqual([renamed.json.name, renamed.json.limit], ["n", 1.5]);
  for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
    const { status, json } = await house.call(method, "/v1/budgets/nobody", body);
    assert.deepEqual([status, json.code], [404, "budget_not_found"], method);
  }
  assert.equal((await house.call("DELETE", `/v1/budgets/${first.json.id}`)).status, 204);
  for (let n = 0; n < 100; n++) await budget({ period: "day", limit: 1 });
  const { status, json } = await house.call("POST", "/v1/budgets", { period: "day", limit: 1 });
  assert.deepEqual([status, json.code], [400, "too_many_budgets"]);
});
