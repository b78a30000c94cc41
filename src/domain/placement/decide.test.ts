import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import {
  gpuRequest as gpu,
  anyRequest as request,
} from "../../../test/fixtures/placement-request.ts";
import type { Inventory } from "../machine/inventory.ts";
import { decidePlacement } from "./decide.ts";
import { type Place, placeOf, type Taken } from "./place.ts";
import type { PlacementRequest } from "./request.ts";

const GIB = 1_024;
const nothing = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set<number>() };

/** "A40*2 L4*1v" is two real GPUs and a virtual one. */
function place(
  machine: string,
  gpus: string,
  facts: Partial<Inventory> = {},
  taken: Taken = nothing,
) {
  const groups = [...gpus.matchAll(/(\w+)\*(\d+)(v?)/g)].map(([, type, count, virtual], n) => ({
    gpuTypeId: type!,
    memoryMb: 24 * GIB,
    virtual: virtual === "v",
    indices: Array.from({ length: Number(count) }, (_, k) => 100 * n + k),
  }));
  const roomy = { vcpus: 64, memoryMb: 256 * GIB, diskGb: 1_000 };
  const inventory = { ...bareInventory, ...roomy, gpus: groups, ...facts };
  return placeOf(machine, ["docker"], inventory, taken);
}

const onCluster = (each: Place, networkVolumes: "shared" | "pinned"): Place => {
  const node = { remote: "k", name: each.machine, networkVolumes };
  return { ...each, drivers: ["kubernetes"], inventory: { ...each.inventory, node } };
};

const has = (model: string, downloadedBytes = 9) => {
  return { models: [{ model, commit: "c", bytes: 9, downloadedBytes }] };
};
const needs = { models: ["o/n"] };

type Row = [name: string, changes: Partial<PlacementRequest>, places: Place[], answer: string];
const cpu = { kind: "CPU" as const, vcpus: 4, memoryMb: 8 * GIB };
const rows: Row[] = [
  ["models, and no cache", needs, [place("a", "A40*2")], "a: it has no model cache"],
  ["models, and an empty cache", needs, [place("a", "A40*2", { models: [] })], "a A40 0"],
  [
    "models, and a node of a cluster",
    needs,
    [onCluster(place("a", "A40*2", { models: [] }), "shared")],
    "a: it has no model cache",
  ],
  [
    "the machine that has the model, although it is emptier",
    needs,
    [place("a", "A40*1", has("o/other")), place("b", "A40*4", has("o/n"))],
    "b A40 0",
  ],
  [
    "a model that is being downloaded is not there yet",
    needs,
    [place("a", "A40*1", { models: [] }), place("b", "A40*4", has("o/n", 8))],
    "a A40 0",
  ],
  [
    "the preferred type before the model",
    { ...needs, compute: gpu(["L4", "A40"], 1, false) },
    [place("a", "L4*1", { models: [] }), place("b", "A40*4", has("o/n"))],
    "a L4 0",
  ],
  [
    "on CPUs the machine that has the model, although it has GPUs",
    { ...needs, compute: cpu },
    [place("a", "", { models: [] }), place("b", "A40*4", has("o/n"))],
    "b  ",
  ],
  ["no machine", {}, [], ""],
  [
    "CPUs of an over-committed machine",
    { compute: cpu },
    [place("a", "", { vcpus: 4, cpuOvercommit: 8 }, { ...nothing, vcpus: 28 })],
    "a  ",
  ],
  [
    "CPUs beyond those of an over-committed machine",
    { compute: cpu },
    [place("a", "", { vcpus: 4, cpuOvercommit: 8 }, { ...nothing, vcpus: 29 })],
    "a: 3 vCPUs are free and 4 are asked for",
  ],
  [
    "more CPUs than an over-committed machine has",
    { compute: cpu },
    [place("a", "", { vcpus: 2, cpuOvercommit: 8 })],
    "a: it has 2 vCPUs and 4 are asked for",
  ],
  [
    "several containers on an over-committed machine",
    { compute: { ...cpu, vcpus: 8 }, vcpusOfEach: 2 },
    [place("a", "", { vcpus: 2, cpuOvercommit: 8 })],
    "a  ",
  ],
  ["the only one", {}, [place("a", "A40*2")], "a A40 0"],
  ["two at once", { compute: gpu([], 2) }, [place("a", "A40*1"), place("b", "L4*2")], "b L4 0,1"],
  [
    "a type asked for",
    { compute: gpu(["L4"]) },
    [place("a", "A40*2"), place("b", "L4*1")],
    "b L4 0",
  ],
  [
    "a type nobody has",
    { compute: gpu(["T4"]) },
    [place("a", "A40*2")],
    "a: it has no GPU of a type that is asked for",
  ],
  [
    "too few of it",
    { compute: gpu(["A40"], 3) },
    [place("a", "A40*2")],
    "a: it has only 2 GPUs of the type A40, and 3 are asked for",
  ],
  [
    "too few of it are free",
    { compute: gpu(["A40"], 2) },
    [place("a", "A40*2", {}, { ...nothing, gpus: new Set([0]) })],
    "a: 1 GPUs of the type A40 are free and 2 are asked for",
  ],
  [
    "too few of it because some cannot be read",
    { compute: gpu(["A40"], 2) },
    [place("a", "A40*1", { gpuTrouble: "GPU 1: Unknown Error" })],
    "a: it has only 1 GPU of the type A40, and 2 are asked for, and not all of its GPUs can be used: GPU 1: Unknown Error",
  ],
  [
    "those that an ending container uses are given last",
    { compute: gpu(["A40"], 1) },
    [place("a", "A40*2", {}, { ...nothing, endingGpus: new Set([0]) })],
    "a A40 1",
  ],
  [
    "a machine with idle ones goes before one that has to wait",
    { compute: gpu(["A40"], 1) },
    [place("a", "A40*1", {}, { ...nothing, endingGpus: new Set([0]) }), place("b", "A40*4")],
    "b A40 0",
  ],
  [
    "those that an ending container uses are given if there are no others",
    { compute: gpu(["A40"], 2) },
    [place("a", "A40*2", {}, { ...nothing, endingGpus: new Set([0]) })],
    "a A40 1,0",
  ],
  [
    "those that are taken are not given",
    { compute: gpu(["A40"], 1) },
    [place("a", "A40*2", {}, { ...nothing, gpus: new Set([0]) })],
    "a A40 1",
  ],
  [
    "the type with the most free ones",
    { compute: gpu(["A40", "L4"]) },
    [place("a", "A40*2"), place("b", "L4*3")],
    "b L4 0",
  ],
  [
    "the first type of the list where that is asked for",
    { compute: gpu(["A40", "L4"], 1, false) },
    [place("a", "A40*2"), place("b", "L4*3")],
    "a A40 0",
  ],
  ["the fullest machine", {}, [place("a", "A40*4"), place("b", "A40*2")], "b A40 0"],
  ["a real one first", {}, [place("a", "A40*9v"), place("b", "A40*2")], "b A40 0"],
  ["the first by name", {}, [place("b", "A40*1"), place("a", "A40*1")], "a A40 0"],
  [
    "the data centers in their order",
    { dataCenterIds: ["Y", "X"], dataCentersByStock: false },
    [place("a", "A40*1", { dataCenterId: "X" }), place("b", "A40*1", { dataCenterId: "Y" })],
    "b A40 0",
  ],
  [
    "the data center with the most",
    { dataCenterIds: ["Y", "X"] },
    [place("a", "A40*3", { dataCenterId: "X" }), place("b", "A40*1", { dataCenterId: "Y" })],
    "a A40 0",
  ],
  [
    "another data center",
    { dataCenterIds: ["Y"] },
    [place("a", "A40*1", { dataCenterId: "X" })],
    "a: it is in X",
  ],
  [
    "another country",
    { countryCodes: ["SE"] },
    [place("a", "A40*1", { countryCode: "RO" })],
    "a: its country is RO",
  ],
  [
    "another CUDA version",
    { cuda: { allowed: ["12.8"], minimum: null } },
    [place("a", "A40*1", { cudaVersion: "12.4" })],
    "a: its CUDA version is 12.4",
  ],
  [
    "a later CUDA version than the minimum, and than the catalog's",
    { cuda: { allowed: [], minimum: "12.4" } },
    [place("a", "A40*1", { cudaVersion: "13.10" })],
    "a A40 0",
  ],
  [
    "an unknown CUDA version",
    { cuda: { allowed: [], minimum: "12.4" } },
    [place("a", "A40*1", { cudaVersion: null })],
    "a: its CUDA version is unknown, and 12.4 or later is required",
  ],
  [
    "simulated GPUs have any CUDA version",
    { cuda: { allowed: ["12.4"], minimum: null } },
    [place("a", "A40*1v", { cudaVersion: null })],
    "a A40 0",
  ],
  [
    "another cloud type",
    {},
    [place("a", "A40*1", { cloudType: "COMMUNITY" })],
    "a: its cloud type is COMMUNITY",
  ],
  [
    "no public IP",
    { supportPublicIp: true },
    [place("a", "A40*1", { supportPublicIp: false })],
    "a: it has no public IP",
  ],
  [
    "too slow a line",
    { minDownloadMbps: 500 },
    [place("a", "A40*1", { downloadMbps: 100 })],
    "a: it downloads at 100 Mbps",
  ],
  [
    "too slow a disk",
    { minDiskMBps: 500 },
    [place("a", "A40*1", { diskMBps: 100 })],
    "a: it has a disk with 100 MB/s",
  ],
  [
    "what Kubernetes does not offer",
    { driver: "docker", needs: ["clusters of Pods"] },
    [{ ...place("a", "A40*1"), drivers: ["kubernetes"] }],
    "a: it is a Kubernetes node, which does not offer clusters of Pods",
  ],
  [
    "a cluster without a storage class",
    { driver: "docker", mountsVolume: true },
    [{ ...place("a", "A40*1"), drivers: ["kubernetes"] }],
    "a: its cluster has no storage class for network volumes",
  ],
  [
    "a network volume of another cluster",
    { driver: "docker", mountsVolume: true, volume: { id: "v", machine: "k2" } },
    [onCluster(place("a", "A40*1"), "shared")],
    "a: the data of network volume v is on machine k2",
  ],
  [
    "a network volume of the cluster, larger than the node's disk",
    { driver: "docker", mountsVolume: true, diskGb: 9_000, newVolumeGb: 9_000 },
    [onCluster(place("a", "A40*1"), "shared")],
    "a A40 0",
  ],
  [
    "a network volume on another node of the cluster",
    { driver: "docker", mountsVolume: true, volume: { id: "v", machine: "b" } },
    [onCluster(place("a", "A40*1"), "pinned"), onCluster(place("b", "A40*1"), "pinned")],
    "b A40 0",
  ],
  [
    "a Kubernetes node among others",
    { driver: "docker" },
    [{ ...place("a", "A40*1"), drivers: ["kubernetes"] }],
    "a A40 0",
  ],
  [
    "no such driver",
    { driver: "simulated" },
    [place("a", "A40*1")],
    'a: it has no driver "simulated"',
  ],
  [
    "what is not declared matches",
    {
      dataCenterIds: ["Y"],
      countryCodes: ["SE"],
      minUploadMbps: 9,
    },
    [place("a", "A40*1")],
    "a A40 0",
  ],
  [
    "too little memory",
    {},
    [place("a", "A40*1", { memoryMb: 4 * GIB })],
    "a: 4 GB of memory are free and 8 are asked for",
  ],
  [
    "too few CPUs",
    {},
    [place("a", "A40*1", {}, { ...nothing, vcpus: 63 })],
    "a: 1 vCPUs are free and 2 are asked for",
  ],
  [
    "too little disk",
    {},
    [place("a", "A40*1", { diskGb: 60 })],
    "a: 60 GB of disk are free and 70 are asked for",
  ],
  [
    "its volume is elsewhere",
    { volume: { id: "v", machine: "b" } },
    [place("a", "A40*2"), place("b", "A40*1", {}, { ...nothing, gpus: new Set([0]) })],
    "a: the data of network volume v is on machine b; b: 0 GPUs of the type A40 are free and 1 are asked for",
  ],
  [
    "where its volume is",
    { volume: { id: "v", machine: "b" } },
    [place("a", "A40*2"), place("b", "A40*8")],
    "b A40 0",
  ],
  ["simulated GPUs need nothing else", {}, [place("a", "A40*1v", { memoryMb: 1 })], "a A40 0"],
  ["without GPUs", { compute: cpu }, [place("a", "A40*1"), place("b", "")], "b  "],
  [
    "without GPUs, and too few CPUs",
    { compute: cpu },
    [place("a", "", { vcpus: 2 })],
    "a: 2 vCPUs are free and 4 are asked for",
  ],
  ["a Pod without its GPUs", { compute: gpu(["T4"], 0) }, [place("a", "")], "a  "],
];

for (const [name, changes, places, answer] of rows) {
  test(`placement: ${name}`, () => {
    const decided = decidePlacement({ ...request, ...changes }, places);
    const text =
      "placed" in decided
        ? `${decided.placed.machine} ${decided.placed.gpuTypeId ?? ""} ${decided.placed.gpuIndices}`
        : decided.passedOver.map(({ machine, reason }) => `${machine}: ${reason}`).join("; ");
    assert.equal(text, answer);
  });
}

test("a placement has free GPUs that match its request; without one, each machine has a reason", () => {
  const types = ["A40", "L4", "T4"];
  const anyPlaces = fc.array(
    fc.record({
      gpus: fc.array(fc.record({ type: fc.constantFrom(...types), n: fc.nat({ max: 4 }) }), {
        maxLength: 3,
      }),
      vcpus: fc.integer({ min: 1, max: 16 }),
      taken: fc.array(fc.nat({ max: 210 })),
    }),
    { maxLength: 6 },
  );
  const anyRequest = fc.record({
    typeIds: fc.subarray(types),
    count: fc.integer({ min: 1, max: 4 }),
    byStock: fc.boolean(),
  });
  fc.assert(
    fc.property(anyPlaces, anyRequest, (some, { typeIds, count, byStock }) => {
      const places = some.map(({ gpus, vcpus, taken }, n) => {
        const notation = gpus.map(({ type, n }) => `${type}*${n}`).join(" ");
        return place(`m${n}`, notation, { vcpus }, { ...nothing, gpus: new Set(taken) });
      });
      const compute = gpu(typeIds, count, byStock);
      const decided = decidePlacement({ ...request, compute }, places);
      const fits = ({ free }: Place) =>
        free.vcpus >= compute.vcpus &&
        free.gpus.some(({ typeId, indices }) => {
          const desired = typeIds.length === 0 || typeIds.includes(typeId);
          return desired && indices.length >= count;
        });
      if ("placed" in decided) {
        const { machine, gpuTypeId, gpuIndices } = decided.placed;
        const at = places.find((each) => each.machine === machine)!;
        assert.ok(fits(at));
        assert.equal(new Set(gpuIndices).size, count);
        const free = at.free.gpus.filter(({ typeId }) => typeId === gpuTypeId);
        assert.ok(free.some(({ indices }) => gpuIndices.every((index) => indices.includes(index))));
        if (typeIds.length > 0) assert.ok(typeIds.includes(gpuTypeId!));
      } else {
        assert.equal(places.some(fits), false);
        assert.equal(decided.passedOver.length, places.length);
        assert.ok(decided.passedOver.every(({ reason }) => reason));
      }
    }),
  );
});
