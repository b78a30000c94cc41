import assert from "node:assert/strict";
import { test } from "node:test";
import { type CandidateMachine, driverOf, driverOfNew, fewestWorkers } from "./placement.ts";

const both = ["process", "simulated"];
const place = (machine: string, workers: number, drivers = both): CandidateMachine => {
  return { machine, workers, drivers };
};

const rows: [name: string, places: CandidateMachine[], driver: string, machine: string | null][] = [
  ["no machine", [], "simulated", null],
  ["none that can", [place("a", 0, ["simulated"])], "process", null],
  ["the only one", [place("a", 7)], "process", "a"],
  ["the emptier one", [place("a", 3), place("b", 1)], "simulated", "b"],
  ["by name where equal", [place("b", 0), place("a", 0)], "simulated", "a"],
  ["an empty one that cannot", [place("a", 0, ["simulated"]), place("b", 9)], "process", "b"],
];

for (const [name, places, driver, machine] of rows) {
  test(`a worker for ${driver}: ${name}`, () => {
    const expected = machine === null ? null : { machine, driver };
    assert.deepEqual(fewestWorkers(places, driver), expected);
  });
}

test("a worker for Docker runs on Kubernetes too, and not the other way round", () => {
  const places = [place("a", 1, ["docker"]), place("b", 0, ["kubernetes"])];
  assert.deepEqual(fewestWorkers(places, "docker"), { machine: "b", driver: "kubernetes" });
  assert.deepEqual(fewestWorkers([place("a", 1, ["docker"])], "kubernetes"), null);
});

test("a machine with fewer models to download comes before one with fewer workers", () => {
  const missing = (machine: string) => (machine === "a" ? 0 : 1);
  const places = [place("a", 9), place("b", 0)];
  assert.deepEqual(fewestWorkers(places, "simulated", missing), {
    machine: "a",
    driver: "simulated",
  });
});

const offers: Record<string, (driver: string) => boolean> = {
  nothing: () => false,
  containers: (driver) => driver === "docker",
  simulated: (driver) => driver === "simulated",
  all: () => true,
};

const drivers: [
  driver: "process" | "simulated" | null,
  offer: string,
  first: string,
  later: string,
][] = [
  [null, "nothing", "process", "process"],
  [null, "containers", "docker", "docker"],
  [null, "simulated", "simulated", "process"],
  [null, "all", "docker", "docker"],
  ["process", "containers", "process", "process"],
  ["simulated", "nothing", "simulated", "simulated"],
];

for (const [driver, offer, first, later] of drivers) {
  test(`a release that names ${driver} where ${offer} is offered`, () => {
    assert.equal(driverOfNew({ driver }, offers[offer]!), first);
    assert.equal(driverOf({ driver }, offers[offer]!), later);
  });
}
