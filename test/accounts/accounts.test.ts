// Tests of accounts: created, read, credited, disabled and enabled, by the operator only.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findPod } from "../../src/store/pod/row.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const POD = { driver: "simulated", imageName: "i", computeType: "CPU", volumeInGb: 0 };

async function makeAccount(service: TestService, name: string, more: object = {}) {
  const { status, json, text } = await service.call("POST", "/v1/accounts", { name, ...more });
  assert.equal(status, 201, text);
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    service.call(method, path, body, { authorization: `Bearer ${json.key}`, ...headers });
  return { ...json, call } as { id: string; key: string; call: TestService["call"] };
}

test("the operator creates an account with its own key and sees its state", async (t) => {
  const service = await simulatedService(t);
  const lab = await makeAccount(service, "lab");
  assert.match(lab.key, /^fh_[a-z0-9]{40}$/);
  const own = await lab.call("GET", "/v1/account");
  assert.deepEqual([own.json.id, own.json.name], [lab.id, "lab"]);
  const listed = await service.call("GET", "/v1/accounts");
  assert.deepEqual(
    listed.json.map(({ name, limited, balance }: Record<string, unknown>) => [
      name,
      limited,
      balance,
    ]),
    [
      ["first", false, 0],
      ["lab", true, 0],
    ],
  );
  assert.ok(!listed.text.includes(lab.key));
  const again = await service.call("POST", "/v1/accounts", { name: "lab" });
  assert.deepEqual([again.status, again.json.code], [400, "name_taken"]);
  const twice = await Promise.all(
    ["both", "both"].map((name) => service.call("POST", "/v1/accounts", { name })),
  );
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 400]);
});

test("an account can rent as long as its credits last", async (t) => {
  const service = await simulatedService(t);
  const lab = await makeAccount(service, "lab");
  const poor = await lab.call("POST", "/v1/pods", POD);
  assert.deepEqual([poor.status, poor.json.code], [402, "no_credits"]);
  const once = { "idempotency-key": "november" };
  const give = () => service.call("POST", `/v1/accounts/${lab.id}/credits`, { amount: 5 }, once);
  assert.equal((await give()).json.balance, 5);
  assert.equal((await give()).json.balance, 5);
  assert.equal((await lab.call("GET", "/v1/balance")).json.balance, 5);
  assert.equal((await service.call("GET", "/v1/balance")).json.balance, 0);
  assert.equal((await lab.call("POST", "/v1/pods", POD)).status, 201);
  const unlimited = await service.call("PATCH", `/v1/accounts/${lab.id}`, { limited: false });
  assert.equal(unlimited.json.limited, false);
  assert.equal((await lab.call("GET", "/v1/balance")).json.limited, false);
  for (const path of ["/v1/balance/credits", `/v1/accounts/${lab.id}/credits`]) {
    const own = await lab.call("POST", path, { amount: 1_000 });
    assert.deepEqual([own.status, own.json.code], [403, "forbidden"]);
  }
});

test("disabling an account rejects its keys and stops its workloads until it is enabled again", async (t) => {
  const service = await simulatedService(t);
  const lab = await makeAccount(service, "lab", { limited: false });
  const { json: pod } = await lab.call("POST", "/v1/pods", { ...POD, locked: true });
  await until(podsOf(lab).reached, pod.id);
  const change = (body: object) => service.call("PATCH", `/v1/accounts/${lab.id}`, body);
  assert.equal((await change({ disabled: true })).json.disabled, true);
  // A replica that cached the key is notified with the commit.
  await until(async () => (await lab.call("GET", "/v1/pods")).status === 401, "");
  assert.equal((await service.call("GET", "/v1/pods")).status, 200);
  // Only the store knows it until then.
  const stopped = async (id: string) =>
    (await service.service.store.read(findPod, id))?.desired.state === "EXITED";
  await until(stopped, pod.id);
  assert.equal((await change({ disabled: false, name: "lab 2" })).json.name, "lab 2");
  await until(async () => (await lab.call("GET", "/v1/pods")).status === 200, "");
  const exited = await podsOf(lab).get(pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold: .*, the account was disabled$/);
  const why = (await lab.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_account_disabled");
  assert.equal((await lab.call("POST", `/v1/pods/${pod.id}/start`)).status, 200);
});

test("a lost key is replaced, and the operator cannot disable the operator's own account", async (t) => {
  const service = await simulatedService(t);
  const lab = await makeAccount(service, "lab");
  const keys = `/v1/accounts/${lab.id}/keys`;
  const { json } = await service.call("POST", keys, { name: "found" });
  const read = await lab.call("GET", "/v1/account", undefined, {
    authorization: `Bearer ${json.key}`,
  });
  assert.equal(read.json.id, lab.id);
  const { json: own } = await service.call("GET", "/v1/account");
  const locked = await service.call("PATCH", `/v1/accounts/${own.id}`, { disabled: true });
  assert.deepEqual([locked.status, locked.json.code], [403, "forbidden"]);
  for (const [method, path, body] of [
    ["GET", "/v1/accounts/nobody", undefined],
    ["PATCH", "/v1/accounts/nobody", { disabled: true }],
    ["POST", "/v1/accounts/nobody/keys", { name: "k" }],
    ["POST", "/v1/accounts/nobody/credits", { amount: 1 }],
  ] as const) {
    const answer = await service.call(method, path, body);
    assert.deepEqual([answer.status, answer.json.code], [404, "account_not_found"], path);
  }
});
