// Budgets of labels: what they stop, which creations, starts and changes of labels they refuse, and what they leave alone.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
// 0.44 dollars per hour, and less than 0.01 for its disk.
const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };
const VOLUME = { name: "v", size: 10, dataCenterId: "EU-RO-1" };
const VISION = { labels: { team: "vision", run: "1" } };
const SEARCH = { labels: { team: "search" } };

async function fixture(t: TestContext) {
  const clock = new SkewedClock("2027-03-10T10:05:00Z");
  const service = await simulatedService(t, { clock, protocol: { heartbeatMs: 250 } });
  const create = async (address: string, body: object) => {
    const { status, json, text } = await service.call("POST", address, body);
    assert.ok(status < 300, text);
    return json;
  };
  return {
    service,
    create,
    async running(more: object) {
      return until(podsOf(service).reached, (await create("/v1/pods", { ...A40, ...more })).id);
    },
    async pass(ms: number) {
      clock.jump(ms);
      await until(async () => {
        const { json } = await service.call("GET", "/v1/machines");
        return json.every(({ online }: { online: boolean }) => online) || null;
      });
    },
    why: async (id: string) => (await service.call("GET", `/v1/why/${id}`)).json,
  };
}

type Call = [method: string, address: string, body?: object];

/** Each with what is spent, and when the next period begins. */
async function assertRefused({ call }: Pick<TestService, "call">, refused: Call[]): Promise<void> {
  for (const [method, address, body] of refused) {
    const { status, json, text } = await call(method, address, body);
    assert.equal(status, 402, `${address}: ${text}`);
    const sentence: string = json.error ?? json.detail ?? json.message;
    assert.match(
      sentence,
      /^The budget .* for team=vision is spent \(1\.3\d+ dollars\); /,
      address,
    );
    assert.match(sentence, /before 2027-03-11T00:00:00.000Z/);
  }
}

test("a label's spent budget stops what has the label, and refuses what would get it", async (t) => {
  const { service, create, running, pass, why } = await fixture(t);
  const budget = await create("/v1/budgets", {
    period: "day",
    limit: 1,
    name: "vision",
    label: "team=vision",
  });
  assert.deepEqual([budget.scope, budget.label, budget.spent], ["label", "team=vision", 0]);
  const [its, other] = [await running(VISION), await running(SEARCH)];
  const volume = await create("/v1/networkvolumes", VOLUME);
  const itsVolume = await create("/v1/networkvolumes", { ...VOLUME, ...VISION });
  const template = { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" as const };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMin: 0 } });

  await pass(2 * HOUR);
  const read = async () => (await service.call("GET", `/v1/budgets/${budget.id}`)).json;
  await until(async () => (await read()).warnedAt ?? null);
  assert.equal((await podsOf(service).get(its.id)).desiredStatus, "RUNNING");
  await pass(HOUR);
  await until(podsOf(service).exited, its.id);
  const explanation = await why(its.id);
  assert.equal(explanation.code, "pod_budget_spent");
  const named = /budget \w+ \(vision\) of 1 dollars per day for team=vision is spent/;
  assert.match(explanation.sentence, named);
  const { state, spent } = await read();
  assert.equal(state, "spent");
  assert.ok(spent > 1.3 && spent < 1.4, String(spent));
  assert.equal((await podsOf(service).get(other.id)).desiredStatus, "RUNNING");

  const refused: Call[] = [
    ["POST", `/v1/pods/${its.id}/start`],
    ["POST", "/v1/pods", { ...A40, ...VISION }],
    ["POST", "/v1/networkvolumes", { ...VOLUME, ...VISION }],
    ["POST", "/v2/sandboxes", { imageName: "i", ...VISION }],
    ["PATCH", `/v1/pods/${other.id}`, VISION],
    ["PATCH", `/v1/networkvolumes/${volume.id}`, VISION],
    ["PATCH", `/v1/endpoints/${endpoint}`, VISION],
  ];
  await assertRefused(service, refused);
  const { json: quote } = await service.call("POST", "/v1/quote", { pod: { ...A40, ...VISION } });
  assert.equal(quote.refused.code, "budget_spent");
  const change = { existingPod: { podId: other.id, changes: VISION } };
  const { json: changed } = await service.call("POST", "/v1/quote", change);
  assert.equal(changed.refused.code, "budget_spent");

  // What has the label already keeps it, and what loses it starts.
  const rerun = await service.call("PATCH", `/v1/pods/${its.id}`, {
    labels: { ...VISION.labels, run: "2" },
  });
  assert.equal(rerun.status, 200, rerun.text);
  // What it grows by in the same change counts for its new labels.
  for (const [address, growth] of [
    [`/v1/pods/${its.id}`, { volumeInGb: 1 }],
    [`/v1/networkvolumes/${itsVolume.id}`, { size: 20 }],
  ] as const) {
    assert.equal((await service.call("PATCH", address, growth)).status, 402, address);
    const moved = await service.call("PATCH", address, { ...growth, ...SEARCH });
    assert.equal(moved.status, 200, moved.text);
  }
  assert.equal((await service.call("POST", `/v1/pods/${its.id}/start`)).status, 200);
  await pass(HOUR);
  const end = (await read()).spent;
  assert.ok(end < 1.4, `${end}: what runs without the label counts no more`);
});

test("a label's spent budget pauses endpoints with the label, and `why` says so", async (t) => {
  const { service, create, pass, why } = await fixture(t);
  const template = { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" as const };
  const size = { computeType: "CPU" as const, cpuFlavorIds: ["cpu3g"], vcpuCount: 4 };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMin: 1, ...size } });
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, VISION);
  const workers = async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/health`);
    return json.workers as Record<string, number>;
  };
  await until(async () => (await workers()).idle! > 0 || null);
  await create("/v1/budgets", { period: "hour", limit: 0.05, label: "team=vision" });
  await pass(30 * MINUTE);
  await until(async () => Object.values(await workers()).every((count) => count === 0) || null);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const explanation = await why(job.id);
  assert.equal(explanation.code, "budget_spent");
  assert.match(explanation.sentence, /the budget \w+ of 0.05 dollars per hour for team=vision/);
  assert.equal((await service.call("PATCH", `/v1/endpoints/${endpoint}`, SEARCH)).status, 200);
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${job.id}`);
    return json.status === "COMPLETED" || null;
  });
});

test("a budget is on one thing, and its label has a name", async (t) => {
  const { service } = await fixture(t);
  const day = { period: "day", limit: 1 };
  const bad = [
    ...["", "team", "=vision", `${"n".repeat(64)}=v`, 5].map((label) => ({ ...day, label })),
    { ...day, label: "team=vision", keyId: "k" },
    { ...day, label: "team=vision", endpointId: "e" },
  ];
  for (const body of bad) {
    const { status, json } = await service.call("POST", "/v1/budgets", body);
    assert.deepEqual([status, json.code], [400, "invalid_body"], JSON.stringify(body));
  }
  for (const label of ["team=", "team=a=b"]) {
    const { status, json } = await service.call("POST", "/v1/budgets", { ...day, label });
    assert.deepEqual([status, json.label], [201, label]);
  }
});
