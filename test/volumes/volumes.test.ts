// Network volumes over HTTP: made, read, renamed, grown, refused, deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";

const made = { name: "data", size: 10, dataCenterId: "EU-RO-1" };

test("a volume is made, listed, read, changed and deleted", async (t) => {
  const house = await startHouse(t);
  const first = await house.call("POST", "/v1/networkvolumes", { ...made, volumeType: "STANDARD" });
  assert.equal(first.status, 200, first.text);
  const { id } = first.json;
  assert.match(id, /^[a-z0-9]{10}$/);
  // Some clients refuse to read any further member.
  assert.deepEqual(first.json, { id, ...made });
  const { json: second } = await house.call("POST", "/v1/networkvolumes", made);
  assert.notEqual(second.id, id, "names need not be unique");
  const one = `/v1/networkvolumes/${id}`;
  assert.deepEqual((await house.call("GET", one)).json, first.json);
  assert.deepEqual((await house.call("GET", "/v1/networkvolumes")).json, [first.json, second]);
  const renamed = await house.call("PATCH", one, { name: "new" });
  assert.deepEqual(renamed.json, { ...first.json, name: "new" });
  const grown = await house.call("POST", `${one}/update`, { size: 11, name: "newer" });
  assert.deepEqual(grown.json, { ...first.json, name: "newer", size: 11 });
  const deleted = await house.call("DELETE", one);
  assert.deepEqual([deleted.status, deleted.text], [204, ""]);
  assert.equal(deleted.headers.get("content-type"), null);
  for (const [method, path, body] of [
    ["GET", one],
    ["PATCH", one, { name: "n" }],
    ["DELETE", one],
  ] as const) {
    const gone = await house.call(method, path, body);
    assert.deepEqual([gone.status, gone.json.code], [404, "network_volume_not_found"], method);
  }
  assert.deepEqual((await house.call("GET", "/v1/networkvolumes")).json, [second]);
  const wrong = await house.call("GET", "/v1/networkvolumes/a%20b");
  assert.match(wrong.json.message, /The network volume id "a b" is not a possible id/);
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

test("what is wrong is named, and nothing is made", async (t) => {
  const house = await startHouse(t);
  for (const [title, change, code, says] of refusals) {
    const refused = await house.call("POST", "/v1/networkvolumes", { ...made, ...change });
    assert.deepEqual([refused.status, refused.json.code], [400, code], `${title} ${refused.text}`);
    assert.match(refused.json.message, says, title);
  }
  assert.deepEqual((await house.call("GET", "/v1/networkvolumes")).json, []);
});

test("a volume only grows, and stays where it is", async (t) => {
  const house = await startHouse(t);
  const { json } = await house.call("POST", "/v1/networkvolumes", made);
  const one = `/v1/networkvolumes/${json.id}`;
  for (const size of [9, 10]) {
    const refused = await house.call("PATCH", one, { size });
    assert.equal(refused.status, 400);
    assert.match(refused.json.message, /a network volume of 10 GB can only grow/);
  }
  const moved = await house.call("PATCH", one, { dataCenterId: "EU-RO-1" });
  assert.match(moved.json.message, /"dataCenterId" cannot be set here/);
  assert.deepEqual((await house.call("GET", one)).json, json);
});

test("where machines say where they stand, a volume is made there and nowhere else", async (t) => {
  const env = { FREEHOLD_MACHINE: '{"dataCenterId": "EU-RO-1"}' };
  const house = await startHouse(t, { env });
  const there = await house.call("POST", "/v1/networkvolumes", {
    ...made,
    dataCenterId: "eu-ro-1",
  });
  assert.equal(there.json.dataCenterId, "EU-RO-1");
  const elsewhere = { ...made, dataCenterId: "US-KS-2" };
  const refused = await house.call("POST", "/v1/networkvolumes", elsewhere);
  assert.deepEqual([refused.status, refused.json.code], [400, "not_offered"]);
  assert.match(refused.json.message, /No machine here stands in US-KS-2; .* can be EU-RO-1/);
});

test("the same Idempotency-Key makes one volume, after a refusal too", async (t) => {
  const house = await startHouse(t);
  const make = (body: object) =>
    house.call("POST", "/v1/networkvolumes", body, { "idempotency-key": "k" });
  const answers = await Promise.all([make(made), make(made)]);
  assert.equal(answers[0]?.json.id, answers[1]?.json.id);
  assert.equal((await make({ ...made, size: 11 })).json.code, "idempotency_conflict");
  assert.equal((await house.call("GET", "/v1/networkvolumes")).json.length, 1);
});
