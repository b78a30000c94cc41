// Budgets: what they stop, what they refuse, and what resumes afterwards.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { join } from "../accounts/join.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
// 0.44 dollars per hour, and less than 0.01 for its disk.
const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
const TEMPLATE = { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" as const };

/** Short, so that the machine is online again soon after the clock jumps. */
const protocol = { heartbeatMs: 50 };

const movingIn = (service: TestService, clock: SkewedClock) => ({
  async pass(ms: number) {
    clock.jump(ms);
    await until(async () => {
      const { json } = await service.call("GET", "/v1/machines");
      return json.every(({ online }: { online: boolean }) => online) || null;
    }, "");
  },
});

async function fixture(t: TestContext) {
  const clock = new SkewedClock("2027-03-10T10:05:00Z");
  const service = await simulatedService(t, { clock, protocol });
  return { service, ...toolsOf(service), ...movingIn(service, clock), clock };
}

function toolsOf(service: TestService) {
  const running = async (more: object = {}, headers: Record<string, string> = {}) => {
    const { json } = await service.call("POST", "/v1/pods", { ...A40, ...more }, headers);
    return until(podsOf(service).reached, json.id);
  };
  return {
    running,
    budget: async (body: object) => (await service.call("POST", "/v1/budgets", body)).json,
    read: async (id: string) => (await service.call("GET", `/v1/budgets/${id}`)).json,
    why: async (id: string) => (await service.call("GET", `/v1/why/${id}`)).json,
    newKey: async () => {
      const { json } = await service.call("POST", "/v1/keys", { name: "handed out" });
      return { id: json.id as string, headers: { authorization: `Bearer ${json.key}` } };
    },
  };
}

test("a spent budget stops Pods and refuses new ones, and a higher limit lets them start", async (t) => {
  const { pass, service, running, budget, read, why } = await fixture(t);
  const daily = await budget({ period: "day", limit: 1, name: "tests" });
  assert.deepEqual([daily.scope, daily.state, daily.spent], ["account", "ok", 0]);
  assert.equal(daily.periodEnd, "2027-03-11T00:00:00.000Z");
  const pod = await running({ locked: true });
  await pass(2 * HOUR);
  await until(async (id) => ((await read(id)).warnedAt ? true : null), daily.id);
  const warned = await read(daily.id);
  assert.equal(warned.state, "warning");
  assert.ok(warned.spent > 0.8 && warned.spent < 1, String(warned.spent));
  assert.equal((await podsOf(service).get(pod.id)).desiredStatus, "RUNNING");
  const { text } = await service.call("GET", `/v1/pods/${pod.id}/logs?source=system`);
  assert.match(text, /80% of the account's budget \w+ \(tests\) of 1 dollars per day are spent/);

  await pass(HOUR);
  const exited = await until(podsOf(service).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold: .* is spent$/);
  const explanation = await why(pod.id);
  assert.equal(explanation.code, "pod_budget_spent");
  assert.match(
    explanation.sentence,
    /the account's budget \w+ \(tests\) of 1 dollars per day is spent/,
  );
  const spent = await read(daily.id);
  assert.equal(spent.state, "spent");
  assert.ok(spent.spent > 1.3 && spent.spent < 1.4 && spent.spentAt, JSON.stringify(spent));

  for (const [address, body] of [
    [`/v1/pods/${pod.id}/start`, undefined],
    ["/v1/pods", A40],
    ["/v1/networkvolumes", { name: "v", size: 10, dataCenterId: "EU-RO-1" }],
  ] as const) {
    const answer = await service.call("POST", address, body);
    assert.deepEqual([answer.status, answer.json.code], [402, "budget_spent"], address);
    assert.match(answer.json.error, /^The account's budget .* before 2027-03-11T00:00:00.000Z/);
  }
  const raised = await service.call("PATCH", `/v1/budgets/${daily.id}`, { limit: 5 });
  assert.deepEqual([raised.json.state, raised.json.limit], ["ok", 5]);
  const started = await service.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([started.status, started.json.desiredStatus], [200, "RUNNING"]);
});

test("a key's budget stops what the key created, and nothing else", async (t) => {
  const { pass, service, running, budget, newKey, why } = await fixture(t);
  const key = await newKey();
  await budget({ period: "month", limit: 0.3, keyId: key.id });
  const [its, another] = [await running({}, key.headers), await running()];
  await pass(HOUR);
  await until(podsOf(service).exited, its.id);
  assert.match((await why(its.id)).sentence, /its key's budget/);
  assert.equal((await podsOf(service).get(another.id)).desiredStatus, "RUNNING");
  const refused = await service.call("POST", "/v1/pods", A40, key.headers);
  assert.deepEqual([refused.status, refused.json.code], [402, "budget_spent"]);
  assert.equal((await service.call("POST", "/v1/pods", A40)).status, 201);
});

test("a key with a budget cannot evade it with another key or another limit", async (t) => {
  const { service, budget, newKey } = await fixture(t);
  const key = await newKey();
  const { id } = await budget({ period: "hour", limit: 1, keyId: key.id });
  const { id: accountId } = (await service.call("GET", "/v1/account")).json;
  const { member } = await join(service, "dev");
  const tries: [string, string, object?][] = [
    ["PATCH", `/v1/budgets/${id}`, { limit: 100 }],
    ["DELETE", `/v1/budgets/${id}`],
    ["POST", "/v1/budgets", { period: "hour", limit: 1 }],
    ["POST", "/v1/keys", { name: "another" }],
    ["POST", `/v1/accounts/${accountId}/keys`, { name: "another" }],
    ["POST", "/v1/accounts", { name: "another" }],
    ["POST", "/v1/invitations", { email: "me@example.org", role: "admin" }],
    ["PATCH", `/v1/members/${member.id}`, { role: "admin" }],
  ];
  for (const [method, address, body] of tries) {
    const answer = await service.call(method, address, body, key.headers);
    assert.deepEqual([answer.status, answer.json.code], [403, "forbidden"], address);
    assert.match(answer.json.error, /held to a budget/);
  }
  const { json: keys } = await service.call("GET", "/v1/keys");
  for (const { id: keyId } of keys.filter((each: { id: string }) => each.id !== key.id)) {
    const { status } = await service.call("POST", "/v1/budgets", {
      period: "day",
      limit: 1,
      keyId,
    });
    assert.ok(status === 201 || status === 403, String(status));
  }
});

test("an endpoint's queue waits while its budget is spent, `why` says so, and then it resumes", async (t) => {
  const { pass, service, budget, why } = await fixture(t);
  const spec = {
    workersMin: 1,
    computeType: "CPU" as const,
    cpuFlavorIds: ["cpu3g"],
    vcpuCount: 4,
  };
  const endpoint = await service.makeEndpoint({ template: TEMPLATE, spec });
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/health`);
    return json.workers.idle > 0 ? true : null;
  }, endpoint);
  await budget({ period: "hour", limit: 0.05, endpointId: endpoint });
  await pass(30 * MINUTE);
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/health`);
    return Object.values(json.workers).every((count) => count === 0) || null;
  }, endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const explanation = await why(job.id);
  assert.equal(explanation.code, "budget_spent");
  assert.match(explanation.sentence, /the endpoint's budget .* before 2027-03-10T11:00:00.000Z/);
  await pass(30 * MINUTE);
  await until(async (id) => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === "COMPLETED" ? true : null;
  }, job.id);
});

test("a worker with a job has a grace period to finish it when the budget is spent", async (t) => {
  const clock = new SkewedClock("2027-03-10T10:05:00Z");
  const service = await simulatedService(t, {
    clock,
    protocol: { ...protocol, budgetGraceMs: 1_000 },
  });
  const template = { ...TEMPLATE, dockerStartCmd: ["simulate", "--job-ms", "86400000"] };
  const size = { computeType: "CPU" as const, cpuFlavorIds: ["cpu3g"], vcpuCount: 4 };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMax: 1, ...size } });
  const job = { input: {}, policy: { executionTimeout: 604_800_000 } };
  const { id } = (await service.call("POST", `/v2/${endpoint}/run`, job)).json;
  const inState = (status: string) => async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === status ? json : null;
  };
  const { workerId } = await until(inState("IN_PROGRESS"), id);
  await toolsOf(service).budget({ period: "hour", limit: 0.05, endpointId: endpoint });
  await movingIn(service, clock).pass(30 * MINUTE);
  const { retries } = await until(inState("IN_QUEUE"), id);
  assert.equal(retries, undefined, "the job did not cause the loss");
  const log = await service.call("GET", `/v1/workers/${workerId}/logs?source=system`);
  const words = log.text.match(/[^"]*budget[^"]*is spent/g)?.map((line) => line.split(":")[0]);
  assert.deepEqual(words, ["is to end when it has no jobs left", "is to end"]);
  const { json: audit } = await service.call("GET", `/v1/audit?resourceId=${workerId}`);
  const done = audit.map((each: Record<string, string>) => [each.actor, each.operation]);
  assert.deepEqual(done, [
    ["system", "endWorker"],
    ["system", "drainWorker"],
  ]);
  assert.match(audit[0].detail, /^the endpoint's budget .* is spent$/);
});

test("a budget that was overspent while the service was down stops its Pods before the service answers", async (t) => {
  const { clock, service, running, budget } = await fixture(t);
  await budget({ period: "day", limit: 1 });
  // The volume of a stopped Pod still costs 0.274 dollars per hour.
  const disk = await running({ volumeInGb: 1_000 });
  await service.call("POST", `/v1/pods/${disk.id}/stop`);
  const pod = await running();
  await service.stop();
  clock.jump(5 * HOUR);
  const again = await simulatedService(t, { clock, protocol, dataFolder: service.dataFolder });
  const { desiredStatus, lastStatusChange } = await podsOf(again).get(pod.id);
  assert.equal(desiredStatus, "EXITED");
  assert.match(lastStatusChange, /is spent$/);
  assert.equal(again.service.drivers[0]!.name, "simulated");
  assert.deepEqual(await again.service.drivers[0]!.list(), [], "nothing was started");
});

test("an invalid budget is refused, and a repeated request creates one budget", async (t) => {
  const { service, budget, newKey } = await fixture(t);
  const key = await newKey();
  const endpoint = await service.makeEndpoint();
  const day = { period: "day" };
  const bad = [
    {},
    { ...day },
    { period: "year", limit: 1 },
    ...[0, -1, "5", null, 1e-7, 1e10].map((limit) => ({ ...day, limit })),
    { ...day, limit: 1, endpointId: "unknown" },
    { ...day, limit: 1, keyId: "unknown" },
    { ...day, limit: 1, keyId: key.id, endpointId: endpoint },
    { ...day, limit: 1, name: "x".repeat(192) },
    { ...day, limit: 1, spent: 0 },
  ];
  for (const body of bad) {
    const { status, json } = await service.call("POST", "/v1/budgets", body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(["invalid_body", "unknown_field"].includes(json.code), json.code);
  }
  const once = { "idempotency-key": "b1" };
  const body = { period: "day", limit: 1.5, endpointId: endpoint };
  const first = await service.call("POST", "/v1/budgets", body, once);
  const second = await service.call("POST", "/v1/budgets", body, once);
  assert.deepEqual([first.status, second.json.id], [201, first.json.id]);
  assert.equal((await service.call("GET", "/v1/budgets")).json.length, 1);
  const renamed = await service.call("PATCH", `/v1/budgets/${first.json.id}`, { name: "n" });
  assert.deepEqual([renamed.json.name, renamed.json.limit], ["n", 1.5]);
  for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
    const { status, json } = await service.call(method, "/v1/budgets/unknown", body);
    assert.deepEqual([status, json.code], [404, "budget_not_found"], method);
  }
  assert.equal((await service.call("DELETE", `/v1/budgets/${first.json.id}`)).status, 204);
  for (let n = 0; n < 100; n++) await budget({ period: "day", limit: 1 });
  const { status, json } = await service.call("POST", "/v1/budgets", { period: "day", limit: 1 });
  assert.deepEqual([status, json.code], [400, "too_many_of_kind"]);
});
