// Accounts: made, looked at, given credits, disabled and enabled by the operator, and by nobody else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findPod } from "../../src/store/pod/row.ts";
import type { TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const POD = { driver: "fake", imageName: "i", computeType: "CPU", volumeInGb: 0 };

async function makeAccount(house: TestHouse, name: string, more: object = {}) {
  const { status, json, text } = await house.call("POST", "/v1/accounts", { name, ...more });
  assert.equal(status, 201, text);
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    house.call(method, path, body, { authorization: `Bearer ${json.key}`, ...headers });
  return { ...json, call } as { id: string; key: string; call: TestHouse["call"] };
}

test("the operator makes an account with a key of its own, and sees how it stands", async (t) => {
  const house = await fakeHouse(t);
  const lab = await makeAccount(house, "lab");
  assert.match(lab.key, /^fh_[a-z0-9]{40}$/);
  const own = await lab.call("GET", "/v1/account");
  assert.deepEqual([own.json.id, own.json.name], [lab.id, "lab"]);
  const listed = await house.call("GET", "/v1/accounts");
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
  const again = await house.call("POST", "/v1/accounts", { name: "lab" });
  assert.deepEqual([again.status, again.json.code], [400, "name_taken"]);
  const twice = await Promise.all(
    ["both", "both"].map((name) => house.call("POST", "/v1/accounts", { name })),
  );
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 400]);
});

test("an account rents for the credits that it was given", async (t) => {
  const house = await fakeHouse(t);
  const lab = await makeAccount(house, "lab");
  const poor = await lab.call("POST", "/v1/pods", POD);
  assert.deepEqual([poor.status, poor.json.code], [402, "no_credits"]);
  const once = { "idempotency-key": "november" };
  const give = () => house.call("POST", `/v1/accounts/${lab.id}/credits`, { amount: 5 }, once);
  assert.equal((await give()).json.balance, 5);
  assert.equal((await give()).json.balance, 5);
  assert.equal((await lab.call("GET", "/v1/balance")).json.balance, 5);
  assert.equal((await house.call("GET", "/v1/balance")).json.balance, 0);
  assert.equal((await lab.call("POST", "/v1/pods", POD)).status, 201);
  const freed = await house.call("PATCH", `/v1/accounts/${lab.id}`, { limited: false });
  assert.equal(freed.json.limited, false);
  assert.equal((await lab.call("GET", "/v1/balance")).json.limited, false);
  for (const path of ["/v1/balance/credits", `/v1/accounts/${lab.id}/credits`]) {
    const own = await lab.call("POST", path, { amount: 1_000 });
    assert.deepEqual([own.status, own.json.code], [403, "forbidden"]);
  }
});

test("a disabled account's keys open nothing, what runs is stopped, and it may come back", async (t) => {
  const house = await fakeHouse(t);
  const lab = await makeAccount(house, "lab", { limited: false });
  const { json: pod } = await lab.call("POST", "/v1/pods", { ...POD, locked: true });
  await until(podsOf(lab).reached, pod.id);
  const change = (body: object) => house.call("PATCH", `/v1/accounts/${lab.id}`, body);
  assert.equal((await change({ disabled: true })).json.disabled, true);
  // A replica that remembered the key hears of it with the commit.
  await until(async () => (await lab.call("GET", "/v1/pods")).status === 401, "");
  assert.equal((await house.call("GET", "/v1/pods")).status, 200);
  // Nobody but the store can tell meanwhile.
  const stopped = async (id: string) =>
    (await house.house.store.read(findPod, id))?.state === "EXITED";
  await until(stopped, pod.id);
  assert.equal((await change({ disabled: false, name: "lab 2" })).json.name, "lab 2");
  await until(async () => (await lab.call("GET", "/v1/pods")).status === 200, "");
  const exited = await podsOf(lab).get(pod.id);
  assert.match(exited.lastStatusChange, /^Exited by Freehold: .*, the account was disabled$/);
  const why = (await lab.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_account_disabled");
  assert.equal((await lab.call("POST", `/v1/pods/${pod.id}/start`)).status, 200);
});

test("a lost key is replaced; the operator cannot lock himself out", async (t) => {
  const house = await fakeHouse(t);
  const lab = await makeAccount(house, "lab");
  const keys = `/v1/accounts/${lab.id}/keys`;
  const { json } = await house.call("POST", keys, { name: "found" });
  const read = await lab.call("GET", "/v1/account", undefined, {
    authorization: `Bearer ${json.key}`,
  });
  assert.equal(read.json.id, lab.id);
  const { json: own } = await house.call("GET", "/v1/account");
  const locked = await house.call("PATCH", `/v1/accounts/${own.id}`, { disabled: true });
  assert.deepEqual([locked.status, locked.json.code], [403, "forbidden"]);
  for (const [method, path, body] of [
    ["GET", "/v1/accounts/nobody", undefined],
    ["PATCH", "/v1/accounts/nobody", { disabled: true }],
    ["POST", "/v1/accounts/nobody/keys", { name: "k" }],
    ["POST", "/v1/accounts/nobody/credits", { amount: 1 }],
  ] as const) {
    const answer = await house.call(method, path, body);
    assert.deepEqual([answer.status, answer.json.code], [404, "account_not_found"], path);
  }
});
