// deploy/install.sh, with the release that the other tests install.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { emptyFolder, environment, release, root, tarball } from "./installed.ts";

const script = path.join(root, "deploy", "install.sh");

function install(args: string[], env: NodeJS.ProcessEnv = environment) {
  return spawnSync("/bin/sh", [script, ...args], { env, encoding: "utf8" });
}

test("the install script installs a command that runs, and names the PATH", (t) => {
  const prefix = path.join(emptyFolder(t), "prefix");
  const { status, stdout, stderr } = install([release, prefix]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Freehold \d\S+ is installed: .*freehold up\n.* is not on your PATH/);
  const command = path.join(prefix, "bin", "freehold");
  const version = spawnSync(command, ["--version"], { env: environment, encoding: "utf8" });
  assert.match(version.stdout, /^freehold \d/);
});

test("the install script refuses a damaged package, a missing release and an old Node", (t) => {
  const folder = emptyFolder(t);
  const prefix = path.join(folder, "prefix");
  assert.match(install([]).stderr, /name the folder of a release/);
  assert.match(install([folder, prefix]).stderr, /has no SHA256SUMS/);

  const copy = path.join(folder, "copy");
  mkdirSync(copy);
  for (const file of [tarball("freehold"), path.join(release, "SHA256SUMS")])
    cpSync(file, path.join(copy, path.basename(file)));
  appendFileSync(path.join(copy, path.basename(tarball("freehold"))), "x");
  assert.match(install([copy, prefix]).stderr, /does not have the checksum/);

  const programs = path.join(folder, "programs");
  mkdirSync(programs);
  const env = { ...environment, PATH: programs };
  assert.match(install([release, prefix], env).stderr, /node is missing; install Node 24/);
  writeFileSync(path.join(programs, "node"), "#!/bin/sh\necho 20\n", { mode: 0o755 });
  assert.match(install([release, prefix], env).stderr, /npm is missing/);
  symlinkSync(path.join(programs, "node"), path.join(programs, "npm"));
  assert.match(install([release, prefix], env).stderr, /needs Node 24 or later, and this is 20/);
  assert.ok(!existsSync(prefix));

  const file = path.join(folder, "file");
  writeFileSync(file, "");
  const refused = install([release, path.join(file, "prefix")]);
  assert.match(refused.stderr, /ENOTDIR[\s\S]*^install.sh: npm could not install into .*another/m);
  assert.equal(refused.status, 1);
});

test("the install script installs into an empty home, and needs a folder without one", (t) => {
  const home = emptyFolder(t);
  const { HOME: _, ...homeless } = environment;
  assert.match(install([release], homeless).stderr, /HOME: is not set; name the folder/);
  assert.equal(install([release], { ...homeless, HOME: home }).status, 0);
  assert.ok(existsSync(path.join(home, ".local", "bin", "freehold")));
});

const noShellcheck = spawnSync("shellcheck", ["--version"]).status !== 0;
test("shellcheck accepts the install script", {
  skip: noShellcheck && "shellcheck is not installed",
}, () => {
  const { stdout } = spawnSync("shellcheck", [script], { encoding: "utf8" });
  assert.equal(stdout, "");
});
