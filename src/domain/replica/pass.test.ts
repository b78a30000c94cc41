import assert from "node:assert/strict";
import { test } from "node:test";
import { isPass, passFor } from "./pass.ts";

const NOW = 1_800_000_000_000;
const PATH = "/replica/workers/w/logs?tail=9";
const pass = passFor("key", PATH, NOW);

const rows: [name: string, key: string, header: string, path: string, now: number, is: boolean][] =
  [
    ["as it was issued", "key", pass, PATH, NOW, true],
    ["a minute later", "key", pass, PATH, NOW + 60_000, true],
    ["by a clock that is behind", "key", pass, PATH, NOW - 60_000, true],
    ["too late", "key", pass, PATH, NOW + 60_001, false],
    ["for another path", "key", pass, PATH.replace("/w/", "/x/"), NOW, false],
    ["under another key", "other", pass, PATH, NOW, false],
    [
      "with another time written in",
      "key",
      pass.replace(String(NOW), String(NOW + 1)),
      PATH,
      NOW,
      false,
    ],
    ["cut off", "key", pass.slice(0, -1), PATH, NOW, false],
    ["a key instead", "key", "Bearer fh_1234567890", PATH, NOW, false],
  ];

for (const [name, key, header, path, now, is] of rows) {
  test(`a pass ${name} is ${is ? "taken" : "refused"}`, () => {
    assert.equal(isPass(key, header, path, now), is);
  });
}
