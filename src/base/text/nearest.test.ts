// Tests of the nearest word.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestWord } from "./nearest.ts";

const cases: [string, string[], string | null][] = [
  ["imgeName", ["name", "imageName", "readme"], "imageName"],
  ["image_name", ["name", "imageName"], "imageName"],
  ["image", ["name", "imageName"], "imageName"],
  ["RTX 4090", ["NVIDIA A40", "NVIDIA GeForce RTX 4090"], "NVIDIA GeForce RTX 4090"],
  ["workersmax", ["workersMin", "workersMax"], "workersMax"],
  ["frobnicate", ["name", "imageName"], null],
  ["", ["a"], null],
  ["x", [], null],
];

for (const [word, candidates, expected] of cases) {
  test(`"${word}" among ${candidates.join(", ")}`, () => {
    assert.equal(nearestWord(word, candidates), expected);
  });
}
