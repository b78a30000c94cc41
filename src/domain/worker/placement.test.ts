import assert from "node:assert/strict";
import { test } from "node:test";
import { driverOf, type Place, placeWorkers } from "./placement.ts";

const both = ["process", "fake"];
const place = (machine: string, workers: number, drivers = both): Place => {
  return { machine, workers, drivers };
};

const rows: [name: string, places: Place[], driver: string, count: number, placed: string[]][] = [
  ["nobody there", [], "fake", 2, []],
  ["nobody who can", [place("a", 0, ["fake"])], "process", 2, []],
  ["one machine takes all", [place("a", 7)], "process", 3, ["a", "a", "a"]],
  ["the emptier one", [place("a", 3), place("b", 1)], "fake", 1, ["b"]],
  ["as many as even them out", [place("a", 2), place("b", 0)], "fake", 4, ["b", "b", "a", "b"]],
  ["by name where equal", [place("b", 0), place("a", 0)], "fake", 3, ["a", "b", "a"]],
  ["an empty one that cannot", [place("a", 0, ["fake"]), place("b", 9)], "process", 1, ["b"]],
  ["none wanted", [place("a", 0)], "fake", 0, []],
];

for (const [name, places, driver, count, placed] of rows) {
  test(`${count} workers for ${driver}: ${name}`, () => {
    assert.deepEqual(placeWorkers(places, driver, count), placed);
  });
}

test("a workload that names no driver is a process", () => {
  const none = () => false;
  const containers = (driver: string) => driver === "docker";
  assert.equal(driverOf({ driver: null }, none), "process");
  assert.equal(driverOf({ driver: null }, containers), "docker");
  assert.equal(driverOf({ driver: "process" }, containers), "process");
  assert.equal(driverOf({ driver: "fake" }, none), "fake");
});
