// Credits: what an account may run with them, and what happens when they run out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unbalanced } from "../../src/store/ledger/ledger.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const A40 = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

const balance = async (service: TestService) => (await service.call("GET", "/v1/balance")).json;
const credit = (service: TestService, amount: unknown, headers: Record<string, string> = {}) =>
  service.call("POST", "/v1/balance/credits", { amount, note: "test" }, headers);

test("an account is metered and unlimited until it receives credits", async (t) => {
  const service = await simulatedService(t);
  const { json: pod } = await service.call("POST", "/v1/pods", A40);
  await until(podsOf(service).reached, pod.id);
  const before = await balance(service);
  assert.equal(before.limited, false);
  assert.equal(before.emptyAt, undefined);
  const answer = await credit(service, 10);
  assert.equal(answer.status, 201);
  assert.equal(answer.json.limited, true);
  assert.ok(answer.json.balance > 9.99 && answer.json.balance <= 10);
  const hours = (Date.parse(answer.json.emptyAt) - Date.now()) / 3_600_000;
  assert.ok(Math.abs(hours - answer.json.balance / answer.json.spendPerHr) < 0.01);
  assert.deepEqual(await service.service.store.read(unbalanced), []);
});

test("an account without credits for an hour creates no Pod, and the error says what is missing", async (t) => {
  const service = await simulatedService(t);
  await credit(service, 0.44);
  const refused = await service.call("POST", "/v1/pods", A40);
  assert.deepEqual([refused.status, refused.json.code], [402, "no_credits"]);
  assert.match(refused.json.error, /0\.006849 dollars are missing/);
  assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
  await credit(service, 0.006849);
  assert.equal((await service.call("POST", "/v1/pods", A40)).status, 201);
});

test("credits count what is still starting, in every way to spend them", async (t) => {
  const service = await simulatedService(t);
  const slow = { ...A40, dockerStartCmd: ["simulate", "--pull-ms", "600000"] };
  const refusedOf = ({ status, json }: Awaited<ReturnType<typeof service.call>>) =>
    status < 300 ? "created" : (json.code as string);
  const createPod = async (more: object = {}) =>
    refusedOf(await service.call("POST", "/v1/pods", { ...slow, ...more }));
  await credit(service, 0.6);
  const creations = await Promise.all(Array.from({ length: 7 }, () => createPod()));
  assert.deepEqual(creations.sort(), ["created", ...Array.from({ length: 6 }, () => "no_credits")]);
  assert.equal((await balance(service)).spendPerHr, 0, "its image is still pulled");
  const [{ id }] = (await service.call("GET", "/v1/pods")).json;

  await service.call("POST", `/v1/pods/${id}/stop`);
  assert.equal(await createPod(), "created");
  const start = await service.call("POST", `/v1/pods/${id}/start`);
  assert.equal(refusedOf(start), "no_credits");

  const grown = await service.call("PATCH", `/v1/pods/${id}`, { volumeInGb: 1_900 });
  assert.equal(refusedOf(grown), "no_credits");
  const volume = { name: "v", size: 4_000, dataCenterId: "EU-RO-1" };
  assert.equal(refusedOf(await service.call("POST", "/v1/networkvolumes", volume)), "no_credits");
  const small = { ...volume, size: 10 };
  const { json: created } = await service.call("POST", "/v1/networkvolumes", small);
  const larger = await service.call("PATCH", `/v1/networkvolumes/${created.id}`, { size: 4_000 });
  assert.equal(refusedOf(larger), "no_credits");
});

test("an account without credits evicts no Pod", async (t) => {
  const service = await simulatedService(t);
  const machine = (await service.call("GET", "/v1/machines")).json[0];
  await credit(service, 1_000);
  const spot = { ...A40, interruptible: true };
  const full = [];
  for (;;) {
    const { status, json } = await service.call("POST", "/v1/pods", spot);
    if (status !== 201) break;
    full.push(json.id);
  }
  assert.ok(full.length > 0, JSON.stringify(machine));
  const { balance: left } = await balance(service);
  await credit(service, Number((0.01 - left).toFixed(6)));
  const refused = await service.call("POST", "/v1/pods", A40);
  assert.equal(refused.json.code, "no_credits");
  const states = (await service.call("GET", "/v1/pods")).json as { desiredStatus: string }[];
  assert.deepEqual(new Set(states.map(({ desiredStatus }) => desiredStatus)), new Set(["RUNNING"]));
});

test("an endpoint gets as many workers as the credits last for an hour, and at least one", async (t) => {
  const service = await simulatedService(t);
  await credit(service, 0.1);
  const template = { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" as const };
  const spec = { gpuTypeIds: ["NVIDIA A40"], workersMin: 3, workersMax: 3 };
  const endpoint = await service.makeEndpoint({ template, spec });
  const workers = async () =>
    (await service.call("GET", `/v1/endpoints/${endpoint}/workers`)).json as unknown[];
  await until(async () => ((await workers()).length > 0 ? true : null), "first");
  const why = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${endpoint}`);
    return json.code === "no_credits" ? json : null;
  }, "why");
  assert.match(why.sentence, /no further worker is started\. .* dollars are missing/i);
  assert.equal((await workers()).length, 1);
  await t.test(
    "a release's first worker starts although the earlier one still serves",
    async () => {
      const { json } = await service.call("GET", `/v1/endpoints/${endpoint}`);
      const { templateId } = json;
      await service.call("PATCH", `/v1/templates/${templateId}`, { env: { RELEASE: "2" } });
      await until(async () => {
        const all = (await workers()) as { version: number }[];
        return all.some(({ version }) => version === 2) ? true : null;
      }, "the new release");
    },
  );
  await credit(service, 10);
  await until(async () => ((await workers()).length === 3 ? true : null), "all");
});

test("an account is warned once that its credits run low, until it has more", async (t) => {
  const service = await simulatedService(t, { protocol: { lowBalanceMs: 3_600_000 } });
  await credit(service, 2);
  const { json: pod } = await service.call("POST", "/v1/pods", A40);
  await until(podsOf(service).reached, pod.id);
  assert.equal((await balance(service)).lowSince, undefined);
  await credit(service, -1.6);
  const low = await until(async () => {
    const current = await balance(service);
    return current.lowSince && current;
  }, "low");
  await credit(service, -0.01);
  const system = async (): Promise<{ line: string }[]> =>
    (await service.call("GET", `/v1/pods/${pod.id}/logs?kind=system`)).json;
  const warningLines = async () =>
    JSON.stringify(await system()).match(/credits last until \d{4}-/g)?.length;
  assert.equal(await warningLines(), 1);
  const { json: audit } = await service.call("GET", "/v1/audit?resourceType=balance");
  const warnings = audit.filter(
    ({ operation }: { operation: string }) => operation === "warnOfBalance",
  );
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].detail, /^the account's credits last until /);
  assert.equal((await balance(service)).lowSince, low.lowSince);
  await credit(service, 10);
  await until(async () => !(await balance(service)).lowSince, "enough");
});

test("without credits all Pods are stopped, locked ones included, and deleted after the grace period", async (t) => {
  const service = await simulatedService(t, { protocol: { emptyGraceMs: 3_000 } });
  await credit(service, 5);
  const { json: pod } = await service.call("POST", "/v1/pods", { ...A40, locked: true });
  await until(podsOf(service).reached, pod.id);
  await credit(service, -5);
  const exited = await until(podsOf(service).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold: /);
  const why = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_no_credits");
  const empty = await until(async () => {
    const now = await balance(service);
    return now.spendPerHr === 0 && now;
  });
  assert.equal(empty.limited, true);
  assert.ok(Date.parse(empty.terminateAt) > Date.parse(empty.emptyAt));
  const start = await service.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([start.status, start.json.code], [402, "no_credits"]);
  await until(async (id) => (await service.call("GET", `/v1/pods/${id}`)).status === 404, pod.id);
});

test("credits within the grace period keep stopped Pods, and let them start again", async (t) => {
  const service = await simulatedService(t);
  await credit(service, 5);
  const { json: pod } = await service.call("POST", "/v1/pods", { ...A40, volumeInGb: 20 });
  await until(podsOf(service).reached, pod.id);
  await credit(service, -6);
  await until(podsOf(service).exited, pod.id);
  await credit(service, 6);
  const started = await service.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([started.status, started.json.desiredStatus], [200, "RUNNING"]);
  await until(async () => ((await balance(service)).terminateAt === undefined ? true : null), "");
});

test("queues of an account without credits wait, and `why` says so", async (t) => {
  const service = await simulatedService(t);
  const template = {
    imageName: "i",
    dockerStartCmd: ["simulate"],
    driver: "simulated" as const,
  };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMin: 1 } });
  await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers`);
    return json.length > 0 ? json : null;
  }, endpoint);
  await credit(service, 1);
  await credit(service, -2);
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/health`);
    return Object.values(json.workers).every((count) => count === 0) ? true : null;
  }, endpoint);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await service.call("GET", `/v1/why/${job.id}`)).json.code, "no_credits");
  await credit(service, 3);
  await until(async (id) => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === "COMPLETED" ? true : null;
  }, job.id);
});

test("an invalid amount is refused, and a repeated request counts once", async (t) => {
  const service = await simulatedService(t);
  for (const amount of [0, "5", null, 0.0000001, 1e12, -1e12]) {
    const answer = await credit(service, amount);
    assert.deepEqual([answer.status, answer.json.code], [400, "invalid_body"], String(amount));
  }
  const once = { "idempotency-key": "k1" };
  assert.equal((await credit(service, 7.000001, once)).json.balance, 7.000001);
  assert.equal((await credit(service, 7.000001, once)).json.balance, 7.000001);
  assert.equal((await balance(service)).balance, 7.000001);
  await chargeAll(service.service.store, Date.now(), 100);
  assert.deepEqual(await service.service.store.read(unbalanced), []);
});
