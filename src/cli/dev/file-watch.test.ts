import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type Clock, systemClock } from "../../base/clock.ts";
import { ignoredFile, ignoredFolder, watchSaves } from "./file-watch.ts";

/** Awaits each save in turn and asserts exactly the files that were written meanwhile. */
function watching(t: TestContext, clock: Clock = systemClock) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-saves-"));
  for (const name of ["lib", "data", "node_modules"]) mkdirSync(path.join(folder, name));
  const waiting: ((files: string[]) => void)[] = [];
  const saves = watchSaves({ clock, folder, except: path.join(folder, "data") }, (files) => {
    waiting.shift()?.(files.map((file) => path.relative(folder, file)).sort());
  });
  t.after(() => {
    saves.close();
    rmSync(folder, { recursive: true });
  });
  const write = (name: string) => writeFileSync(path.join(folder, name), "x");
  const next = () => new Promise<string[]>((resolve) => waiting.push(resolve));
  return { folder, write, next };
}

test("files saved together are one save, in the folder and in folders below", async (t) => {
  const { write, next } = watching(t);
  const save = next();
  write("handler.py");
  write("lib/model.py");
  assert.deepEqual(await save, ["handler.py", "lib/model.py"]);
});

test("temporary files of other programs are not a save", async (t) => {
  const { folder, write, next } = watching(t);
  const save = next();
  for (const name of ["a.pyc", ".git", "out.png", "data/freehold.db-x", "node_modules/a.js"]) {
    write(name);
  }
  write("temporary.py");
  rmSync(path.join(folder, "temporary.py"));
  write("handler.py");
  assert.deepEqual(await save, ["handler.py"]);
});

test("replacing a file is a save, and so is a file in a new folder", async (t) => {
  const { folder, write, next } = watching(t);
  const replaced = next();
  write(".handler.py.new");
  renameSync(path.join(folder, ".handler.py.new"), path.join(folder, "handler.py"));
  assert.deepEqual(await replaced, ["handler.py"]);
  const below = next();
  mkdirSync(path.join(folder, "new"));
  write("new/part.py");
  assert.deepEqual(await below, ["new/part.py"]);
});

const rows: [name: string, ignored: boolean][] = [
  ["handler.py", false],
  ["config.yaml", false],
  [".env", false],
  ["prompt.txt", false],
  ["handler.py~", true],
  [".handler.py.swp", true],
  ["4913", true],
  ["out.PNG", true],
  ["model.safetensors", true],
];
for (const [name, ignored] of rows) {
  test(`${name} is ${ignored ? "no" : "a"} save`, () => assert.equal(ignoredFile(name), ignored));
}

test("folders of tools are not watched", () => {
  for (const name of [".git", "__pycache__", "node_modules", "venv"])
    assert.ok(ignoredFolder(name));
  assert.ok(!ignoredFolder("lib"));
});
