import assert from "node:assert/strict";
import { test } from "node:test";
import { type NetworkVolume, validateVolume, volumeFor } from "./network-volume.ts";

const volume = (id: string, dataCenterId: string, machine: string | null = null): NetworkVolume => {
  const facts = { accountId: "a", name: id, size: 1, labels: {}, virtual: false, createdAt: 0 };
  return { id, dataCenterId, machine, type: "STANDARD", ...facts };
};

const cases: [
  name: string,
  volumes: NetworkVolume[],
  place: [string | null, string | null],
  id?: string,
][] = [
  ["none", [], ["m", null]],
  ["a new one in the machine's data center", [volume("v", "X")], ["m", "X"], "v"],
  ["a new one elsewhere", [volume("v", "X")], ["m", "Y"]],
  ["a machine that declares none", [volume("v", "X")], ["m", null], "v"],
  ["its data is here", [volume("v", "X", "m")], ["m", "X"], "v"],
  ["its data is on another machine", [volume("v", "X", "n")], ["m", "X"]],
  ["here, though the machine was moved", [volume("v", "X", "m")], ["m", "Y"], "v"],
  ["one with data first", [volume("v", "X"), volume("w", "Y", "m")], ["m", null], "w"],
  ["a machine without network volumes", [volume("v", "X")], [null, "X"]],
  ["each in its data center", [volume("v", "X"), volume("w", "Y")], ["m", "Y"], "w"],
];

for (const [name, volumes, [home, dataCenterId], id] of cases) {
  test(`the volume of a worker: ${name}`, () => {
    assert.equal(volumeFor(volumes, { home, dataCenterId })?.id, id);
  });
}

test("an endpoint's volumes belong to its account, one per data center", () => {
  const [v, w, x] = [volume("v", "X"), volume("w", "X"), volume("x", "Z")];
  assert.deepEqual(validateVolume(["v", "x"], [v, x], []), []);
  assert.deepEqual(validateVolume(["v", "x"], [v, x], ["Z", "X"]), []);
  const [missing, twice, elsewhere] = validateVolume(["v", "w", "x", "y"], [v, w, x], ["X"]);
  assert.match(missing!, /there is no "y"/);
  assert.match(twice!, /v and w, both in X/);
  assert.match(elsewhere!, /x, which is in Z; "dataCenterIds" must have that too/);
});
