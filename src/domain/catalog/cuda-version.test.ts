import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ANY_CUDA,
  type CudaDemand,
  compareCudaVersions,
  cudaVersionErrors,
  satisfiesCuda,
} from "./cuda-version.ts";

const atLeast = (minimum: string): CudaDemand => ({ allowed: [], minimum });
const oneOf = (...allowed: string[]): CudaDemand => ({ allowed, minimum: null });

const rows: [demand: CudaDemand, version: string | null, isSatisfied: boolean][] = [
  [ANY_CUDA, null, true],
  [ANY_CUDA, "13.4", true],
  [atLeast("12.4"), "13.1", true],
  [atLeast("12.4"), "14.0", true],
  [atLeast("12.4"), "12.10", true],
  [atLeast("12.4"), "12.4", true],
  [atLeast("12"), "12.0", true],
  [atLeast("12.4"), "12.3", false],
  [atLeast("13.5"), "13.4", false],
  [atLeast("12.4"), null, false],
  [oneOf("12.4", "13.3"), "13.3", true],
  [oneOf("12.1"), "12.10", false],
  [oneOf("12.4"), null, false],
  [{ allowed: ["12.4", "12.8"], minimum: "12.6" }, "12.4", false],
  [{ allowed: ["12.4", "12.8"], minimum: "12.6" }, "12.8", true],
];

for (const [demand, version, isSatisfied] of rows) {
  test(`CUDA ${version} for ${JSON.stringify(demand)}: ${isSatisfied}`, () => {
    assert.equal(satisfiesCuda(demand, version), isSatisfied);
  });
}

test("CUDA versions are ordered as numbers, and later ones than the catalog's are valid", () => {
  const sorted = ["13.0", "12.9", "9.2", "12.10", "13.4"].toSorted(compareCudaVersions);
  assert.deepEqual(sorted, ["9.2", "12.9", "12.10", "13.0", "13.4"]);
  const catalog = { cudaVersions: ["12.4", "11.8"] } as never;
  const named = ["11.8", "11.7", "12.4", "13.9", "new", "", "1.2.3"];
  const errors = cudaVersionErrors("minCudaVersion", named, catalog);
  const refused = errors.map((each) => /has (".*?"),/.exec(each)?.[1]);
  assert.deepEqual(refused, ['"11.7"', '"new"', '""', '"1.2.3"']);
});
