import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInCatalog } from "../../config/catalog/read.ts";
import { defaultTemplate } from "../template/template.ts";
import { changedSpec } from "./change.ts";
import type { PodRequest } from "./pod-request.ts";
import { defaultSpec, type PodSpec } from "./spec.ts";

const catalog = builtInCatalog();
const before: PodSpec = {
  ...defaultSpec,
  templateId: "t",
  gpuTypeIds: ["NVIDIA A40"],
  env: { A: "1", JUPYTER_PASSWORD: "generated" },
  ports: ["80/http", "8888/http"],
};
const template = { ...defaultTemplate("i"), env: { A: "1" }, startJupyter: true };

const rows: [name: string, request: PodRequest, changed: Partial<PodSpec>][] = [
  ["what cannot change, as it is", { gpuTypeIds: ["NVIDIA A40"], gpuCount: 1 }, {}],
  ["null for the present value", { volumeInGb: null, driver: null }, {}],
  ["a new image", { imageName: "new" }, { imageName: "new" }],
  ["no registry auth", { containerRegistryAuthId: null }, { containerRegistryAuthId: null }],
  ["all variables", { env: { B: "2" } }, { env: { B: "2" } }],
];

for (const [name, request, changed] of rows) {
  test(`a change takes ${name}`, () => {
    const { spec, errors } = changedSpec(catalog, before, request);
    assert.deepEqual(errors, []);
    assert.deepEqual(spec, { ...before, ...changed });
  });
}

test("variables and ports are over the template's, if the change names it", () => {
  const request = { templateId: "t", env: { B: "2" }, ports: ["80/http"] };
  const { spec } = changedSpec(catalog, before, request, template);
  assert.deepEqual(spec.env, { A: "1", B: "2", JUPYTER_PASSWORD: "generated" });
  assert.deepEqual(spec.ports, before.ports);
});

test("the size of a Pod's own volume is ignored beside a network volume", () => {
  const mounted = { ...before, networkVolumeId: "v", volumeInGb: 0 };
  const { spec, errors } = changedSpec(catalog, mounted, { volumeInGb: 20 });
  assert.deepEqual([spec, errors], [mounted, []]);
});

for (const [request, sentence] of [
  [{ gpuCount: 2 }, '"gpuCount" is 1 and cannot change; create another Pod.'],
  [{ templateId: null }, '"templateId" is "t" and cannot change; create another Pod.'],
  [{ volumeInGb: 1 }, '"volumeInGb" is 1; a volume of 20 GB can only grow.'],
] as [PodRequest, string][]) {
  test(sentence, () => {
    assert.deepEqual(changedSpec(catalog, before, request).errors, [sentence]);
  });
}
