// Tests of the home folder that hides the user's credentials.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { homeFor } from "./home.ts";

function folders(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const home = path.join(folder, "home");
  mkdirSync(path.join(home, ".cache"), { recursive: true });
  writeFileSync(path.join(home, ".cache", "model"), "weights");
  writeFileSync(path.join(home, "notes"), "mine");
  return { home, substitute: path.join(folder, "substitute") };
}

test("a home without credentials is used as it is", async (t) => {
  const { home, substitute } = folders(t);
  assert.equal(await homeFor(home, substitute), home);
  assert.equal(await homeFor("/there/is/none", substitute), "/there/is/none");
});

test("a home with credentials is replaced by links to everything else", async (t) => {
  const { home, substitute } = folders(t);
  mkdirSync(path.join(home, ".runpod"));
  writeFileSync(path.join(home, ".runpod", "config.toml"), "secret");
  for (let start = 0; start < 2; start++) {
    assert.equal(await homeFor(home, substitute), substitute);
    assert.deepEqual(readdirSync(substitute).sort(), [".cache", "notes"]);
    assert.equal(readFileSync(path.join(substitute, ".cache", "model"), "utf8"), "weights");
  }
  rmSync(substitute, { recursive: true });
  assert.equal(readFileSync(path.join(home, ".cache", "model"), "utf8"), "weights");
});
