// Tests of reservations with two replicas on one store: the last GPU is reserved once, and no Pod takes a reserved one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const until = () => new Date(Date.now() + 3_600_000).toISOString();

test("two replicas reserve no more than an account may", { skip: missing }, async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 8}' };
  const { a, b } = await startPair(t, { drivers: "simulated", env });
  await a.call("PATCH", `/v1/accounts/${(await a.call("GET", "/v1/account")).json.id}/quota`, {
    reservedGpus: 3,
  });
  const body = { gpuTypeId: A40, gpuCount: 1, until: until() };
  const reserved = await Promise.all(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? a : b).call("POST", "/v1/reservations", body)),
  );
  const refused = reserved.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 7);
  for (const { text } of refused) assert.match(text, /The account holds 3 of 3 reserved GPUs/);
});

test("two replicas reserve no GPU twice and hand out no reserved one", {
  skip: missing,
}, async (t) => {
  // Each replica has a machine.
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 3}' };
  const { a, b } = await startPair(t, { drivers: "simulated", env });
  const on = (n: number) => (n % 2 === 0 ? a : b);
  const other = await a.call("POST", "/v1/accounts", { name: "other" });
  const key = await a.call("POST", `/v1/accounts/${other.json.id}/keys`, { name: "k" });
  const asOther = { authorization: `Bearer ${key.json.key}` };

  // Its limit would allow eight, and the machines have six.
  const limits = { reservedGpus: 8 };
  const { status } = await b.call("PATCH", `/v1/accounts/${other.json.id}/quota`, limits);
  assert.equal(status, 200);
  const body = { gpuTypeId: A40, gpuCount: 4, until: until() };
  const reserved = await Promise.all(
    [0, 1].map((n) => on(n).call("POST", "/v1/reservations", body, asOther)),
  );
  const statuses = reserved.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, 409], reserved.map(({ text }) => text).join());

  const pods = await Promise.all(
    Array.from({ length: 20 }, (_, n) => on(n).call("POST", "/v1/pods", { ...POD, name: `${n}` })),
  );
  assert.equal(pods.filter(({ status }) => status === 201).length, 2);
  for (const { status, text } of pods) {
    if (status !== 201) assert.match(text, /4 of 6 NVIDIA A40 are reserved for another account/);
  }
});
