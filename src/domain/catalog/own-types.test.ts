import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { fleetGpus, type MachineGpus, unpricedGpus } from "./own-types.ts";
import { type PriceUpdate, resolveUpdate } from "./price-update.ts";
import { PricedCatalog, type PriceSetting } from "./prices.ts";

const NOVA = "ACME Nova";
const SLICE = `${NOVA} MIG 1g.6gb`;
const W7900 = "AMD Radeon PRO W7900";

const machine = (name: string, ...gpus: [id: string, memoryMb: number, count: number][]) => ({
  machine: name,
  inventory: {
    gpus: gpus.map(([gpuTypeId, memoryMb, count]) => {
      return { gpuTypeId, memoryMb, virtual: false, indices: [...Array(count).keys()] };
    }),
  },
});
const machines: MachineGpus[] = [
  machine("one", [NOVA, 12_282, 2], ["NVIDIA A40", 46_068, 1], [W7900, 46_064, 1]),
  machine("two", [NOVA, 12_282, 1], ["NVIDIA-Nova-Max", 0, 8], [SLICE, 5_900, 7]),
];
const set = (id: string, price: "secure" | "secureSpot" | "serverless", micros: number | null) =>
  ({ kind: "gpuType", id, price, micros }) satisfies PriceSetting;

function fixture() {
  const catalog = new PricedCatalog(builtInCatalog());
  const settings = new Map<string, PriceSetting>();
  const resolve = (...changes: (PriceSetting | PriceUpdate["facts"][number])[]) => {
    const update = {
      settings: changes.filter((each) => "kind" in each),
      facts: changes.filter((each) => !("kind" in each)),
    };
    return resolveUpdate(catalog, update, fleetGpus(machines, catalog.namedTypes));
  };
  const save = (...changes: Parameters<typeof resolve>) => {
    const { settings: resolved, ownTypes, errors } = resolve(...changes);
    assert.deepEqual(errors, []);
    for (const each of resolved) settings.set(`${each.id} ${each.price}`, each);
    const book = { sliceTypes: [SLICE], ownTypes: ownTypes ?? catalog.ownTypes };
    catalog.set("", { ...book, settings: [...settings.values()] });
  };
  const typeOf = (id: string) => catalog.gpuTypes.find((type) => type.id === id);
  const unpriced = () => unpricedGpus(catalog, machines).map(({ id }) => id);
  return { catalog, resolve, save, typeOf, unpriced };
}

test("the GPUs without a price are those of all machines that the catalog does not have", () => {
  const { catalog } = fixture();
  assert.deepEqual(
    unpricedGpus(catalog, machines).map(({ machines, ...each }) => [
      Object.values(each).join("; "),
      machines.join(),
    ]),
    [
      [`${NOVA}; ${NOVA}; ACME; 12; 3`, "one,two"],
      [`${SLICE}; ${SLICE}; ACME; 6; 7`, "two"],
      [`${W7900}; PRO W7900; AMD; 48; 1`, "one"],
      ["NVIDIA-Nova-Max; Nova-Max; NVIDIA; ; 8", "two"],
    ],
  );
});

test("a price on demand offers a GPU type, whose other prices follow from it", () => {
  const { save, typeOf, unpriced } = fixture();
  save(set(NOVA, "secure", 500_000), set(NOVA, "secureSpot", 200_000));
  const rest = { community: 500_000, serverless: 500_000, threeMonth: null, sixMonth: null };
  assert.deepEqual(typeOf(NOVA), {
    id: NOVA,
    displayName: NOVA,
    manufacturer: "ACME",
    memoryInGb: 12,
    pool: null,
    prices: { secure: 500_000, secureSpot: 200_000, communitySpot: 200_000, ...rest },
  });
  // Its MIG devices cost their share, until they have a price of their own.
  assert.deepEqual(typeOf(SLICE)?.prices.secure, 250_000);
  save(set(SLICE, "secure", 0));
  assert.equal(typeOf(SLICE)?.prices.secure, 0);
  save({ id: NOVA, displayName: "Nova", memoryInGb: 24 }, set(NOVA, "serverless", 1));
  assert.deepEqual([typeOf(NOVA)?.displayName, typeOf(NOVA)?.memoryInGb], ["Nova", 24]);
  assert.deepEqual(unpriced(), [W7900, "NVIDIA-Nova-Max"]);
});

test("without its price on demand a type leaves with all its prices, and keeps its name", () => {
  const { save, typeOf, unpriced } = fixture();
  save({ id: NOVA, displayName: "Nova" }, set(NOVA, "secure", 9), set(NOVA, "serverless", 8));
  save(set(NOVA, "secure", null));
  assert.deepEqual([typeOf(NOVA), unpriced().includes(NOVA)], [undefined, true]);
  save(set(NOVA, "secure", null));
  save(set(NOVA, "secure", 7));
  assert.deepEqual([typeOf(NOVA)?.displayName, typeOf(NOVA)?.prices.serverless], ["Nova", 7]);
});

const refused: [changes: Parameters<ReturnType<typeof fixture>["resolve"]>, error: RegExp][] = [
  [[set("ACME Novo", "secure", 1)], /ACME Novo.*is not a GPU type/],
  [[set(NOVA, "secureSpot", 1)], /has ACME Nova, which has no price yet; set its securePrice/],
  [[{ id: NOVA, displayName: "N" }], /has no price yet/],
  [[set("NVIDIA-Nova-Max", "secure", 1)], /whose memory no machine reports; set its "memoryInGb"/],
  [[{ id: "NVIDIA A40", memoryInGb: 1 }], /NVIDIA A40, whose name and memory come from the cat/],
  [[set(W7900, "secure", null), set(W7900, "secureSpot", 1)], /send nothing else for it/],
];

test("a type that no machine has and a change that is half of one are refused", () => {
  const { save, resolve } = fixture();
  save(set(W7900, "secure", 1));
  for (const [changes, error] of refused) assert.match(resolve(...changes).errors.join(), error);
});
