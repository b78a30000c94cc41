// Tests of network volumes over HTTP: created, read, renamed, grown, rejected, deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

const dataVolume = { name: "data", size: 10, dataCenterId: "EU-RO-1" };

test("a volume is created, listed, read, changed and deleted", async (t) => {
  const service = await startService(t);
  const first = await service.call("POST", "/v1/networkvolumes", {
    ...dataVolume,
    volumeType: "STANDARD",
  });
  assert.equal(first.status, 200, first.text);
  const { id } = first.json;
  assert.match(id, /^[a-z0-9]{10}$/);
  // Some clients reject additional fields.
  assert.deepEqual(first.json, { id, ...dataVolume });
  const { json: second } = await service.call("POST", "/v1/networkvolumes", dataVolume);
  assert.notEqual(second.id, id, "names need not be unique");
  const one = `/v1/networkvolumes/${id}`;
  assert.deepEqual((await service.call("GET", one)).json, first.json);
  assert.deepEqual((await service.call("GET", "/v1/networkvolumes")).json, [first.json, second]);
  const renamed = await service.call("PATCH", one, { name: "new" });
  assert.deepEqual(renamed.json, { ...first.json, name: "new" });
  const grown = await service.call("POST", `${one}/update`, { size: 11, name: "newer" });
  assert.deepEqual(grown.json, { ...first.json, name: "newer", size: 11 });
  const deleted = await service.call("DELETE", one);
  assert.deepEqual([deleted.status, deleted.text], [204, ""]);
  assert.equal(deleted.headers.get("content-type"), null);
  for (const [method, path, body] of [
    ["GET", one],
    ["PATCH", one, { name: "n" }],
    ["DELETE", one],
  ] as const) {
    const missing = await service.call(method, path, body);
    assert.deepEqual(
      [missing.status, missing.json.code],
      [404, "network_volume_not_found"],
      method,
    );
  }
  assert.deepEqual((await service.call("GET", "/v1/networkvolumes")).json, [second]);
  const wrong = await service.call("GET", "/v1/networkvolumes/a%20b");
  assert.match(wrong.json.message, /The network volume id "a b" is not valid/);
});

const refusals: [title: string, change: object, code: string, says: RegExp][] = [
  ["no name", { name: undefined }, "invalid_body", /"name" is missing/],
  ["no size", { size: undefined }, "invalid_body", /"size" is missing; .* from 1 to 4000/],
  ["no place", { dataCenterId: undefined }, "invalid_body", /"dataCenterId" is missing/],
  ["a long name", { name: "n".repeat(192) }, "invalid_body", /"name" .*\(192 characters\)/],
  ["nothing", { size: 0 }, "invalid_body", /"size" must be a whole number from 1 to 4000; it is 0/],
  ["too much", { size: 4_001 }, "invalid_body", /"size"/],
  ["a part", { size: 1.5 }, "invalid_body", /"size"/],
  ["Mars", { dataCenterId: "MARS-1" }, "invalid_body", /"MARS-1", which is not a data center/],
  ["a typing error", { dataCenterId: "EU-RO-2" }, "invalid_body", /did you mean "EU-RO-1"/],
  ["an unknown key", { sise: 1 }, "unknown_field", /"sise"\. Did you mean "size"/],
];

test("an invalid request names its error and creates nothing", async (t) => {
  const service = await startService(t);
  for (const [title, change, code, says] of refusals) {
    const refused = await service.call("POST", "/v1/networkvolumes", { ...dataVolume, ...change });
    assert.deepEqual([refused.status, refused.json.code], [400, code], `${title} ${refused.text}`);
    assert.match(refused.json.message, says, title);
  }
  assert.deepEqual((await service.call("GET", "/v1/networkvolumes")).json, []);
});

test("a volume only grows, and stays where it is", async (t) => {
  const service = await startService(t);
  const { json } = await service.call("POST", "/v1/networkvolumes", dataVolume);
  const one = `/v1/networkvolumes/${json.id}`;
  for (const size of [9, 10]) {
    const refused = await service.call("PATCH", one, { size });
    assert.equal(refused.status, 400);
    assert.match(refused.json.message, /a network volume of 10 GB can only grow/);
  }
  const moved = await service.call("PATCH", one, { dataCenterId: "EU-RO-1" });
  assert.match(moved.json.message, /"dataCenterId" cannot be set here/);
  assert.deepEqual((await service.call("GET", one)).json, json);
});

test("if machines declare their data center, a volume can only be created there", async (t) => {
  const env = { FREEHOLD_MACHINE: '{"dataCenterId": "EU-RO-1"}' };
  const service = await startService(t, { env });
  const there = await service.call("POST", "/v1/networkvolumes", {
    ...dataVolume,
    dataCenterId: "eu-ro-1",
  });
  assert.equal(there.json.dataCenterId, "EU-RO-1");
  const elsewhere = { ...dataVolume, dataCenterId: "US-KS-2" };
  const refused = await service.call("POST", "/v1/networkvolumes", elsewhere);
  assert.deepEqual([refused.status, refused.json.code], [400, "not_offered"]);
  assert.match(refused.json.message, /No machine is in US-KS-2; .* can be EU-RO-1/);
});

test("the same Idempotency-Key creates one volume, after a refusal too", async (t) => {
  const service = await startService(t);
  const make = (body: object) =>
    service.call("POST", "/v1/networkvolumes", body, { "idempotency-key": "k" });
  const answers = await Promise.all([make(dataVolume), make(dataVolume)]);
  assert.equal(answers[0]?.json.id, answers[1]?.json.id);
  assert.equal((await make({ ...dataVolume, size: 11 })).json.code, "idempotency_conflict");
  assert.equal((await service.call("GET", "/v1/networkvolumes")).json.length, 1);
});
