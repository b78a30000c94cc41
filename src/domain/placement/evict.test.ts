import assert from "node:assert/strict";
import { test } from "node:test";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { anyRequest, gpuRequest } from "../../../test/fixtures/placement-request.ts";
import { shareNumbers } from "../gpu-share/gpu-share.ts";
import type { Inventory } from "../machine/inventory.ts";
import { decideEviction, type Tenant } from "./evict.ts";
import { placeOf } from "./place.ts";
import type { PlacementRequest } from "./request.ts";

const free = { vcpus: 0, memoryMb: 0, diskGb: 0, gpus: new Set<number>() };

/** Four GPUs of one type; those of tenants are taken. */
function machine(name: string, type: string, tenants: Tenant[], facts: Partial<Inventory> = {}) {
  const group = { gpuTypeId: type, memoryMb: 24_576, virtual: false, indices: [0, 1, 2, 3] };
  const inventory = { ...bareInventory, vcpus: 64, memoryMb: 262_144, diskGb: 900, ...facts };
  const gpus = new Set(tenants.flatMap((tenant) => [...tenant.gpus]));
  return placeOf(name, ["docker"], { ...inventory, gpus: [group] }, { ...free, gpus });
}

const spot = (id: string, at: string, since: number, gpus: number[], more = {}): Tenant => {
  const type = { gpuTypeId: "A40", virtual: false, vcpus: 2, memoryMb: 8_192, diskGb: 10 };
  return { id, machine: at, since, gpus, ...type, ...more };
};

/** Machine a: full of A40, two small ones and one with two. Machine b: full of L4, each by itself. */
const a = [spot("a1", "a", 10, [0]), spot("a2", "a", 20, [1]), spot("a3", "a", 30, [2, 3])];
const l4 = { gpuTypeId: "L4" };
const b = [0, 1, 2, 3].map((n) => spot(`b${n}`, "b", 40 + n, [n], l4));
const both = [machine("a", "A40", a), machine("b", "L4", b)];

type Row = [name: string, request: Partial<PlacementRequest>, placed: string];
const rows: Row[] = [
  ["the newest of all", {}, "b L4 3 evicts b3"],
  ["of the type asked for", { compute: gpuRequest(["A40"]) }, "a A40 2 evicts a3"],
  ["one with two before two with one", { compute: gpuRequest([], 2) }, "a A40 2,3 evicts a3"],
  ["two where it must be two", { compute: gpuRequest(["L4"], 2) }, "b L4 3,2 evicts b3,b2"],
  ["three GPUs of two Pods", { compute: gpuRequest(["A40"], 3) }, "a A40 2,3,1 evicts a3,a2"],
  ["all of them", { compute: gpuRequest(["A40"], 4) }, "a A40 2,3,1,0 evicts a3,a2,a1"],
  ["more than there are", { compute: gpuRequest([], 5) }, "nowhere"],
  ["the order of the list", { compute: gpuRequest(["A40", "L4"], 1, false) }, "a A40 2 evicts a3"],
  ["a type that no Pod has", { compute: gpuRequest(["T4"]) }, "nowhere"],
  ["another driver", { driver: "process" }, "nowhere"],
];

for (const [name, request, placed] of rows) {
  test(`eviction: ${name}`, () => {
    assert.equal(textOf(decideEviction({ ...anyRequest, ...request }, both, [...a, ...b])), placed);
  });
}

test("free GPUs are used first, and the fewest Pods are evicted for the rest", () => {
  const some = [spot("p", "a", 1, [0]), spot("q", "a", 2, [1])];
  const decided = decideEviction(
    { ...anyRequest, compute: gpuRequest([], 3) },
    [machine("a", "A40", some)],
    some,
  );
  assert.equal(textOf(decided), "a A40 2,3,1 evicts q");
});

test("if only CPUs are short, the Pod that holds CPUs is evicted", () => {
  const some = [spot("idle", "a", 9, [0], { vcpus: 0 }), spot("busy", "a", 1, [1], { vcpus: 8 })];
  const roomy = machine("a", "A40", some, { vcpus: 9 });
  const full = { ...roomy, free: { ...roomy.free, vcpus: 1 } };
  assert.equal(textOf(decideEviction(anyRequest, [full], some)), "a A40 2 evicts busy");
  const cpu = { kind: "CPU" as const, vcpus: 8, memoryMb: 1_024 };
  assert.equal(
    textOf(decideEviction({ ...anyRequest, compute: cpu }, [full], some)),
    "a   evicts busy",
  );
});

test("an eviction of virtual Pods frees only GPUs", () => {
  const virtualPod = { virtual: true, vcpus: 0, memoryMb: 0, diskGb: 0 };
  const some = [0, 1, 2, 3].map((n) => spot(`v${n}`, "a", n, [n], virtualPod));
  const place = machine("a", "A40", some);
  const group = { ...place.free.gpus[0]!, virtual: true };
  const virtual = { ...place, free: { ...place.free, vcpus: 0, gpus: [group] } };
  assert.equal(textOf(decideEviction(anyRequest, [virtual], some)), "a A40 3 evicts v3");
});

test("of the shares of a GPU one is enough, and the others stay", () => {
  const layout = { count: 2, memoryInGb: 20 };
  const [a0, a1] = shareNumbers(0, layout);
  const [b0, b1] = shareNumbers(1, layout);
  const share = (id: string, since: number, gpus: number[]) =>
    spot(id, "a", since, gpus, { gpuTypeId: "A40 half" });
  const placed = (count: number, tenants: Tenant[]) => {
    const place = placeOf(
      "a",
      ["docker"],
      {
        ...bareInventory,
        vcpus: 64,
        memoryMb: 262_144,
        diskGb: 900,
        gpus: [
          { gpuTypeId: "A40 half", memoryMb: 1, virtual: false, indices: [a0!, a1!, b0!, b1!] },
        ],
      },
      { ...free, gpus: new Set(tenants.flatMap(({ gpus }) => gpus)) },
    );
    const request = { ...anyRequest, compute: gpuRequest(["A40 half"], count) };
    return textOf(decideEviction(request, [place], tenants));
  };
  const full = [share("p", 4, [a0!]), share("q", 3, [a1!]), share("r", 2, [b0!])];
  const older = share("s", 1, [b1!]);
  assert.equal(placed(1, [...full, older]), `a A40 half ${a0} evicts p`);
  assert.equal(placed(2, [...full, older]), `a A40 half ${a0},${b0} evicts p,r`);
  assert.equal(placed(2, full), `a A40 half ${b1},${a0} evicts p`);
  assert.equal(
    placed(2, [share("both", 9, [a0!, b0!]), share("q", 3, [a1!]), older]),
    `a A40 half ${a0},${b0} evicts both`,
  );
  assert.equal(placed(3, [...full, older]), "nowhere");
  // The newest holds a share of one GPU, and the other one of both: it is enough.
  const held = [share("small", 9, [a0!]), share("both", 8, [a1!, b0!]), older];
  assert.equal(placed(2, held), `a A40 half ${a1},${b0} evicts both`);
});

function textOf(placed: ReturnType<typeof decideEviction>): string {
  if (!placed) return "nowhere";
  const { machine: where, gpuTypeId, gpuIndices, evicts } = placed;
  return `${where} ${gpuTypeId ?? ""} ${gpuIndices} evicts ${evicts}`;
}
