// Tests of the MIG profiles that `nvidia-smi mig` lists, as NVIDIA's MIG user guide prints them, and of what fits together.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isSameLayout,
  parseComputeInstances,
  parseGpuInstances,
  parseMigProfiles,
  planMigLayout,
  summaryOf,
} from "./mig-profiles.ts";

const LGIP = `+-----------------------------------------------------------------------------+
| GPU instance profiles:                                                      |
| GPU   Name             ID    Instances   Memory     P2P    SM    DEC   ENC  |
|                              Free/Total   GiB              CE    JPEG  OFA  |
|=============================================================================|
|   0  MIG 1g.5gb        19     7/7        4.75       No     14     0     0   |
|                                                             1     0     0   |
+-----------------------------------------------------------------------------+
|   0  MIG 1g.5gb+me     20     1/1        4.75       No     14     1     0   |
|                                                             1     1     1   |
+-----------------------------------------------------------------------------+
|   0  MIG 1g.10gb       15     4/4        9.62       No     14     1     0   |
|                                                             1     0     0   |
+-----------------------------------------------------------------------------+
|   0  MIG 2g.10gb       14     0/3        9.62       No     28     1     0   |
|                                                             2     0     0   |
|   0  MIG 3g.20gb        9     2/2        19.50      No     42     2     0   |
|                                                             3     0     0   |
+-----------------------------------------------------------------------------+
|   0  MIG 4g.20gb        5     1/1        19.50      No     56     2     0   |
|                                                             4     0     0   |
+-----------------------------------------------------------------------------+
|   0  MIG 7g.40gb        0     1/1        39.25      No     98     5     0   |
|                                                             7     1     1   |
+-----------------------------------------------------------------------------+
`;
const LGIPP = `GPU  0 Profile ID 19 Placements: {0,1,2,3,4,5,6}:1
GPU  0 Profile ID 20 Placements: {0,1,2,3,4,5,6}:1
GPU  0 Profile ID 15 Placements: {0,2,4,6}:2
GPU  0 Profile ID 14 Placements: {0,2,4}:2
GPU  0 Profile ID  9 Placements: {0,4}:4
GPU  0 Profile ID  5 Placement : {0}:4
GPU  0 Profile ID  0 Placement : {0}:8
`;
const A100 = parseMigProfiles(LGIP, LGIPP);

test("profiles have their numbers, how many fit, and their places", () => {
  assert.deepEqual(
    A100.map(({ name, id, total, size }) => [name, id, total, size]),
    [
      ["1g.5gb", 19, 7, 1],
      ["1g.5gb+me", 20, 1, 1],
      ["1g.10gb", 15, 4, 2],
      ["2g.10gb", 14, 3, 2],
      ["3g.20gb", 9, 2, 4],
      ["4g.20gb", 5, 1, 4],
      ["7g.40gb", 0, 1, 8],
    ],
  );
  assert.deepEqual(A100[4]!.starts, [0, 4]);
  assert.deepEqual(A100[6]!.starts, [0]);
  // A driver that says nothing of places still has its profiles.
  const unplaced = planMigLayout(parseMigProfiles(LGIP, ""), ["3g.20gb", "3g.20gb"]);
  assert.deepEqual(unplaced, { order: ["3g.20gb", "3g.20gb"] });
});

test("instances are listed by profile, in the forms of old and new drivers", () => {
  const lgi = `| GPU   Name          Profile  Instance   Placement  |
|   0  MIG 1g.5gb       19        7          0:1     |
+----------------------------------------------------+
|   0  MIG 1g.5gb+me        20       13          6:1     |
|   0  MIG 3g.20gb       9        2          4:4     |
`;
  assert.deepEqual(parseGpuInstances(lgi), ["1g.5gb", "1g.5gb+me", "3g.20gb"]);
  const lci = `| GPU     GPU       Name             Profile   Instance |
|   0      1       MIG 1c.3g.20gb       0         0     |
+-------------------------------------------------------+
|   0      2       MIG 3g.20gb          2         0          0:3     |
`;
  assert.deepEqual(parseComputeInstances(lci), ["1c.3g.20gb", "3g.20gb"]);
  assert.deepEqual(parseGpuInstances("No GPU instances found: Not Found\n"), []);
});

test("a layout is refused that the GPU has no room for, and ordered if it has", () => {
  const plan = (...names: string[]) => {
    const found = planMigLayout(A100, names);
    return "refusal" in found ? found.refusal : found.order.join();
  };
  const rows: [names: string[], end: string | RegExp][] = [
    [["1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb"], "3g.20gb,2g.10gb,1g.5gb,1g.5gb"],
    [["2g.10gb", "2g.10gb", "2g.10gb", "1g.5gb+me"], "2g.10gb,2g.10gb,2g.10gb,1g.5gb+me"],
    [["4g.20gb", "3g.20gb"], "4g.20gb,3g.20gb"],
    [["7g.40gb"], "7g.40gb"],
    [[], ""],
    [["3g.20gb", "3g.20gb", "1g.5gb"], "2 × 3g.20gb, 1g.5gb do not fit on the GPU together"],
    [["4g.20gb", "4g.20gb"], "2 times 4g.20gb do not fit; at most 1 do"],
    [["7g.40gb", "1g.5gb"], /do not fit on the GPU together/],
    [["1g.10gb"], "1g.10gb"],
    [
      ["1g.20gb"],
      /^the GPU has no profile 1g\.20gb; it has room for 7 × 1g\.5gb, 1g\.5gb\+me, 4 × 1g\.10gb,/,
    ],
  ];
  for (const [names, end] of rows) {
    if (typeof end === "string") assert.equal(plan(...names), end);
    else assert.match(plan(...names), end);
  }
});

test("layouts are compared whatever their order", () => {
  assert.ok(isSameLayout(["1g.5gb", "3g.20gb"], ["3g.20gb", "1g.5gb"]));
  assert.ok(!isSameLayout(["1g.5gb"], ["1g.5gb", "1g.5gb"]));
  assert.equal(summaryOf(["1g.5gb", "3g.20gb", "1g.5gb"]), "2 × 1g.5gb, 3g.20gb");
});
