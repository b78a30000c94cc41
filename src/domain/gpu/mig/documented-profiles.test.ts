// Tests of the MIG profiles that NVIDIA documents, by the names and memory that drivers report.

import assert from "node:assert/strict";
import { test } from "node:test";
import { documentedProfiles } from "./documented-profiles.ts";

test("the profiles of a GPU follow from its name and memory", () => {
  const rows: [name: string, memoryMb: number, first: string | undefined][] = [
    ["NVIDIA A30", 24_576, "4 1g.6gb"],
    ["NVIDIA A100-SXM4-40GB", 40_960, "7 1g.5gb"],
    ["NVIDIA A100-PCIE-40GB", 40_536, "7 1g.5gb"],
    ["NVIDIA A100-SXM4-80GB", 81_920, "7 1g.10gb"],
    ["NVIDIA A100 80GB PCIe", 81_920, "7 1g.10gb"],
    ["NVIDIA H100 PCIe", 81_559, "7 1g.10gb"],
    ["NVIDIA H100 80GB HBM3", 81_559, "7 1g.10gb"],
    ["NVIDIA H100 NVL", 95_830, "7 1g.12gb"],
    ["NVIDIA GH200 480GB", 97_871, "7 1g.12gb"],
    ["NVIDIA H200", 143_771, "7 1g.18gb"],
    ["NVIDIA B200", 183_359, "7 1g.23gb"],
    ["NVIDIA RTX PRO 6000 Blackwell Server Edition", 97_887, "4 1g.24gb"],
    ["NVIDIA A10", 23_028, undefined],
    ["NVIDIA A1000", 8_188, undefined],
    ["NVIDIA RTX 6000 Ada Generation", 49_140, undefined],
    ["NVIDIA GB10", 0, undefined],
  ];
  for (const [name, memoryMb, expected] of rows) {
    const [first] = documentedProfiles(name, memoryMb);
    assert.equal(first && `${first.count} ${first.name}`, expected, name);
  }
});
