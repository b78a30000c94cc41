import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { canonicalGpuType } from "../../domain/catalog/catalog.ts";
import { cpuInstanceId } from "../../domain/catalog/cpu-instance.ts";
import { gpuIdsOf } from "../../domain/catalog/gpu-ids.ts";
import { builtInCatalog, readCatalog } from "./read.ts";

const catalog = builtInCatalog();

function readOwn(t: TestContext, own: unknown) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-catalog-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "own.json"), JSON.stringify(own));
  const errors: string[] = [];
  return { catalog: readCatalog("own.json", folder, errors), errors };
}

test("the operator's catalog may begin with a byte order mark", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-catalog-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "own.json"), "\ufeff{}");
  const errors: string[] = [];
  readCatalog("own.json", folder, errors);
  assert.deepEqual(errors, []);
});

test("an entry of a MIG device needs only what does not follow from its GPU", (t) => {
  const id = "NVIDIA A100-SXM4-80GB MIG 2g.20gb";
  const { catalog: own, errors } = readOwn(t, { gpuTypes: [{ id, securePrice: 0.5 }] });
  assert.deepEqual(errors, []);
  const typeOf = (name: string) => own.gpuTypes.find((type) => type.id === name)!;
  const [type, whole] = [typeOf(id), typeOf("NVIDIA A100-SXM4-80GB")];
  assert.deepEqual([type.memoryInGb, type.prices.secure], [20, 500_000]);
  assert.equal(type.prices.community, Math.round(whole.prices.community / 4));
  const pro = "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb";
  assert.deepEqual(
    typeOf(pro),
    catalog.gpuTypes.find((each) => each.id === pro),
  );
});

test("every alias is of a GPU type of the catalog", () => {
  assert.equal(canonicalGpuType(catalog, "NVIDIA  RTX A4500"), "NVIDIA RTX A4500");
  assert.equal(canonicalGpuType(catalog, "NVIDIA RTX A30"), "NVIDIA A30");
  assert.equal(canonicalGpuType(catalog, "constructor"), "constructor");
  const ids = catalog.gpuTypes.map(({ id }) => id);
  for (const id of Object.values(catalog.gpuTypeAliases)) assert.ok(ids.includes(id), id);
  assert.equal(new Set(ids).size, ids.length);
});

test("GPU types are written as pools, exclusions and types without a pool", () => {
  assert.equal(gpuIdsOf(catalog, []), "");
  assert.equal(gpuIdsOf(catalog, ["NVIDIA GeForce RTX 4090"]), "ADA_24");
  assert.equal(
    gpuIdsOf(catalog, ["NVIDIA A40", "NVIDIA RTX A6000", "Tesla T4"]),
    "AMPERE_48,Tesla T4",
  );
  assert.equal(
    gpuIdsOf(catalog, ["NVIDIA L4", "NVIDIA RTX A5000"]),
    "AMPERE_24,-NVIDIA GeForce RTX 3090",
  );
});

test("an instance is named by flavor, CPUs and memory", () => {
  assert.equal(cpuInstanceId(catalog, "cpu3g", 4), "cpu3g-4-16");
});

test("a file of the operator's changes entries, adds others and leaves the rest", (t) => {
  const nova = {
    id: "ACME Nova",
    displayName: "Nova",
    manufacturer: "ACME",
    memoryInGb: 12,
    pool: null,
    securePrice: 0.1,
    communityPrice: 0.000001,
    secureSpotPrice: 0,
    communitySpotPrice: 0,
  };
  const changed = { id: "NVIDIA A40", securePrice: 0.5 };
  const { catalog: own, errors } = readOwn(t, {
    gpuTypes: [changed, nova],
    gpuTypeAliases: { nova: "ACME Nova" },
    dataCenters: [{ id: "HOME-1", location: "Home", countryCode: "CH", region: "EUROPE" }],
  });
  assert.deepEqual(errors, []);
  const type = (id: string) => own.gpuTypes.find((each) => each.id === id)!;
  const before = catalog.gpuTypes.find(({ id }) => id === "NVIDIA A40")!;
  assert.deepEqual(type("NVIDIA A40").prices, { ...before.prices, secure: 500_000 });
  assert.equal(type("NVIDIA A40").memoryInGb, 48);
  assert.deepEqual([type("ACME Nova").prices.secure, type("ACME Nova").prices.community], [1e5, 1]);
  assert.equal(own.gpuTypes.length, catalog.gpuTypes.length + 1);
  assert.equal(own.dataCenters.at(-1)?.id, "HOME-1");
  assert.deepEqual(own.cpuFlavors, catalog.cpuFlavors);
});

test("every error in the file is reported", (t) => {
  const { errors } = readOwn(t, {
    gpuTypes: [{ id: "Half", securePrice: -1 }],
    colors: [],
    cudaVersions: ["new"],
  });
  const text = errors.join("\n");
  for (const each of [/"colors" is not known/, /displayName" is missing/, /securePrice" must be/]) {
    assert.match(text, each);
  }
  assert.match(readOwn(t, []).errors.join(), /own\.json cannot be read: it must hold a JSON obj/);
  const alias = readOwn(t, { gpuTypeAliases: { x: "No such GPU" } });
  assert.match(alias.errors.join(), /alias "x" for "No such GPU"/);
});
