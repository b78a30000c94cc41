import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { canonicalGpuType } from "./catalog.ts";
import { PricedCatalog } from "./prices.ts";
import { parseSliceType } from "./slice-name.ts";
import { sliceTypeOf } from "./slice-type.ts";

const file = builtInCatalog();
const A100 = "NVIDIA A100-SXM4-80GB";

test("the name of a MIG device's type says its GPU, profile and memory", () => {
  const rows: [id: string, parsed: string | null][] = [
    [`${A100} MIG 1g.10gb`, `${A100} 1g.10gb 10`],
    [`${A100} MIG 1c.3g.40gb`, `${A100} 1c.3g.40gb 40`],
    ["NVIDIA A30 MIG 1g.6gb+me", "NVIDIA A30 1g.6gb+me 6"],
    ["X MIG 1g.24gb-me", "X 1g.24gb-me 24"],
    ["X MIG 1g.24gb+me.all", "X 1g.24gb+me.all 24"],
    [A100, null],
    [`${A100} MIG`, null],
    [`${A100} MIG 10gb`, null],
    ["MIG 1g.10gb", null],
  ];
  for (const [id, parsed] of rows) {
    const name = parseSliceType(id);
    assert.equal(name && `${name.whole} ${name.profile} ${name.memoryInGb}`, parsed, id);
  }
  const alias = Object.entries(file.gpuTypeAliases).find(([, id]) => /^NVIDIA/.test(id))!;
  assert.equal(canonicalGpuType(file, `${alias[0]} MIG 1g.10gb`), `${alias[1]} MIG 1g.10gb`);
});

test("a MIG device costs its share of the whole GPU's memory, until its price is set", () => {
  const id = `${A100} MIG 1g.10gb`;
  const whole = file.gpuTypes.find((type) => type.id === A100)!;
  const slice = sliceTypeOf(file, id)!;
  assert.equal(slice.prices.secure, Math.round(whole.prices.secure / 8));
  assert.equal(slice.prices.threeMonth, Math.round(whole.prices.threeMonth! / 8));
  assert.deepEqual([slice.memoryInGb, slice.pool], [10, null]);
  assert.equal(slice.displayName, `${whole.displayName} MIG 1g.10gb`);
  assert.equal(sliceTypeOf(file, A100), null);
  assert.equal(sliceTypeOf(file, "ACME Nova MIG 1g.10gb"), null);

  const catalog = new PricedCatalog(file);
  const builtIn = "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb";
  const priceOf = (name: string) =>
    catalog.gpuTypes.find((type) => type.id === name)?.prices.secure;
  const before = [priceOf(builtIn), catalog.gpuTypes.length];
  assert.equal(priceOf(id), undefined);
  const setting = (name: string, micros: number | null) => {
    return { kind: "gpuType", id: name, price: "secure", micros } as const;
  };
  const set = (sliceTypes: string[], ...settings: ReturnType<typeof setting>[]) =>
    catalog.set("", { sliceTypes, ownTypes: [], settings });
  set([id, builtIn, "ACME Nova MIG 1g.10gb"]);
  assert.deepEqual([priceOf(builtIn), catalog.gpuTypes.length - 1], before);
  set([id], setting(A100, 800_000));
  assert.equal(priceOf(id), 100_000);
  set([id], setting(A100, 800_000), setting(id, 150_000));
  assert.deepEqual([priceOf(id), priceOf(A100)], [150_000, 800_000]);
  const unset = catalog.with({ settings: [] }).gpuTypes;
  assert.equal(unset.find((type) => type.id === id)?.prices.secure, slice.prices.secure);
});
