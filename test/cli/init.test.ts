// `freehold init worker`. test/package/test-kits.test.ts runs the tests of the projects that it writes.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "./command.ts";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-init-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a project is written into a new folder, with the commands that come next", async (t) => {
  const folder = emptyFolder(t);
  const { code, stdout, stderr } = await freehold(["init", "worker", "My Shop"], folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /enter +cd 'My Shop'\n/);
  assert.match(stdout, /install +pip install -r requirements\.txt \S+\/dist\/release\/\*\.whl\n/);
  assert.match(stdout, /release +freehold deploy handler\.py --name my-shop\n/);
  const readme = readFileSync(path.join(folder, "My Shop", "README.md"), "utf8");
  assert.match(readme, /freehold run my-shop '\{"name":"you"\}'/);
  assert.match(readme, /pip install -r requirements\.txt RELEASE\/\*\.whl/);
  assert.ok(readme.split("\n").every((line) => line.length <= 120));
});

test("files that are there are not touched, and nothing is written beside them", async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(path.join(folder, "package.json"), "{}");
  const { code, stderr } = await freehold(["init", "worker", "--javascript"], folder);
  assert.equal(code, 1);
  assert.match(stderr, /has package\.json already; name another folder/);
  assert.deepEqual(readdirSync(folder), ["package.json"]);
});

test("a group of commands without its subcommand names those that there are", async (t) => {
  for (const [args, sentence] of [
    [["init"], /^freehold: init takes a subcommand; there are worker, team\n$/],
    [["completion"], /^freehold: completion takes a subcommand; there are bash, zsh, fish/],
  ] as const) {
    const { code, stderr } = await freehold([...args], emptyFolder(t));
    assert.equal(code, 2);
    assert.match(stderr, sentence);
  }
});
