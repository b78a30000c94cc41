import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { readModels } from "./model-config.ts";

function read(modelSource: string | null, modelCache: string | null = null) {
  const errors: string[] = [];
  const settings = { modelSource, modelCache } as Record<string, string | null>;
  return { ...readModels((name) => settings[name] ?? null, "/cwd", errors), errors };
}

const sources: [text: string | null, source: ReturnType<typeof read>["modelSource"]][] = [
  [null, { hub: "https://huggingface.co" }],
  ["off", null],
  ["https://hub.example.org/", { hub: "https://hub.example.org" }],
  ["http://10.0.0.1:8080/hf", { hub: "http://10.0.0.1:8080/hf" }],
  ["/srv/models", { folder: "/srv/models" }],
  ["models", { folder: path.resolve("/cwd", "models") }],
];

for (const [text, source] of sources) {
  test(`the source ${text}`, () => {
    assert.deepEqual(read(text).modelSource, source);
    assert.deepEqual(read(text).errors, []);
  });
}

for (const text of ["ftp://x", "https://", "https://user:pass@x", "https://x?y=1"]) {
  test(`no source: ${text}`, () => {
    assert.match(read(text).errors.join(), /FREEHOLD_MODEL_SOURCE is .* the address of a hub/);
  });
}

test("the size of the cache is in GB", () => {
  assert.equal(read(null).modelCacheBytes, 200e9);
  assert.equal(read(null, "0.5").modelCacheBytes, 0.5e9);
  for (const text of ["off", "-1", "1e3", "10 GB"]) {
    assert.match(read(null, text).errors.join(), /FREEHOLD_MODEL_CACHE is .* a number of GB/);
  }
});
