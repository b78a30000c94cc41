import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { homeWithout } from "./home.ts";

function folders(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const home = path.join(folder, "home");
  mkdirSync(path.join(home, ".cache"), { recursive: true });
  writeFileSync(path.join(home, ".cache", "model"), "weights");
  writeFileSync(path.join(home, "notes"), "mine");
  return { home, instead: path.join(folder, "instead") };
}

test("a home with nothing to hide is given as it is", async (t) => {
  const { home, instead } = folders(t);
  assert.equal(await homeWithout(home, instead), home);
  assert.equal(await homeWithout("/there/is/none", instead), "/there/is/none");
});

test("a home with a key in it is given without it, and with all the rest", async (t) => {
  const { home, instead } = folders(t);
  mkdirSync(path.join(home, ".runpod"));
  writeFileSync(path.join(home, ".runpod", "config.toml"), "secret");
  for (let start = 0; start < 2; start++) {
    assert.equal(await homeWithout(home, instead), instead);
    assert.deepEqual(readdirSync(instead).sort(), [".cache", "notes"]);
    assert.equal(readFileSync(path.join(instead, ".cache", "model"), "utf8"), "weights");
  }
  rmSync(instead, { recursive: true });
  assert.equal(readFileSync(path.join(home, ".cache", "model"), "utf8"), "weights");
});
