// Tests that a start from a clone runs a bundle of its code only while the bundle is what the sources say.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { withoutRights } from "../fixtures/closed-socket.ts";
import { until } from "../fixtures/until.ts";

const root = path.join(import.meta.dirname, "..", "..");

const MAIN = `import { readFileSync } from "node:fs";
import path from "node:path";
import { word } from "./word.ts";

const data = readFileSync(path.join(import.meta.dirname, "data.txt"), "utf8");
const identity = (value: string) => value;
const isBundled = String(identity) === "(value) => value"; // stripped types leave blanks

export async function main([, action]: string[]): Promise<void> {
  if (action === "fail") throw new Error("it fails");
  if (action === "late") await new Promise((resolve) => process.stdin.once("data", resolve));
  const { late } = await import("./late.ts");
  console.log(JSON.stringify({ word, late, data, isBundled }));
  process.stdin.destroy();
}
`;

/** A clone with a small program in place of the service. Its path has what replacements of text give a meaning. */
function newClone(t: TestContext): string {
  const clone = mkdtempSync(path.join(tmpdir(), "freehold-bundle-$&-"));
  t.after(() => rmSync(clone, { recursive: true }));
  chmodSync(clone, 0o755);
  const filter = (file: string) => path.basename(file) !== "node_modules";
  cpSync(path.join(root, "bin"), path.join(clone, "bin"), { recursive: true, filter });
  symlinkSync(path.join(root, "node_modules"), path.join(clone, "node_modules"));
  writeFileSync(path.join(clone, "package.json"), JSON.stringify({ type: "module" }));
  for (const folder of ["src", store]) mkdirSync(path.join(clone, folder), { recursive: true });
  write(clone, "main.ts", MAIN);
  write(clone, "data.txt", "text");
  write(clone, "late.ts", 'export const late = "late";\n');
  write(clone, "word.ts", wordModule("one"));
  preventBuilds(clone);
  return clone;
}

const store = path.join(".cache", "start");
const wordModule = (word: string) => `export const word: string = "${word}";\n`;
const write = (clone: string, name: string, text: string) =>
  writeFileSync(path.join(clone, "src", name), text);

const lockOf = (clone: string) => path.join(clone, store, "building");
/** So that only the builds that a test asks for are made. */
const preventBuilds = (clone: string) => writeFileSync(lockOf(clone), String(process.pid));

function build(clone: string): string {
  rmSync(lockOf(clone));
  const script = path.join(clone, "bin", "start", "build-bundle.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  preventBuilds(clone);
  return bundleOf(clone);
}

const bundleOf = (clone: string): string =>
  JSON.parse(readFileSync(path.join(clone, store, "current.json"), "utf8")).bundle;

interface StartOptions {
  flags?: string[];
  action?: string;
  user?: { uid?: number; gid?: number };
}

function start(clone: string, { flags = [], action = "", user = {} }: StartOptions = {}) {
  const args = [...flags, path.join(clone, "bin", "freehold.mjs"), "up", action];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", ...user });
  return { report: stdout === "" ? null : JSON.parse(stdout), stderr };
}

const bundled = { word: "one", late: "late", data: "text", isBundled: true };
const fromSources = { ...bundled, isBundled: false };

test("a start runs the bundle until a source changes, and then the new source", (t) => {
  const clone = newClone(t);
  assert.deepEqual(start(clone).report, fromSources);
  build(clone);
  assert.deepEqual(start(clone).report, bundled);
  write(clone, "data.txt", "changed"); // is read where it is
  assert.deepEqual(start(clone).report, { ...bundled, data: "changed" });
  write(clone, "data.txt", "text");
  // The new text has the length and the time of the old one.
  const file = path.join(clone, "src", "word.ts");
  const { atime, mtime } = statSync(file);
  write(clone, "word.ts", wordModule("two"));
  utimesSync(file, atime, mtime);
  assert.deepEqual(start(clone).report, { ...fromSources, word: "two" });
  build(clone);
  assert.deepEqual(start(clone).report, { ...bundled, word: "two" });
  rmSync(path.join(clone, "src", "late.ts"));
  assert.match(start(clone).stderr, /Cannot find module .*late\.ts/);
});

test("a start from the sources leaves a bundle behind, and starts at once leave one", async (t) => {
  const clone = newClone(t);
  rmSync(lockOf(clone));
  const starts = Array.from({ length: 3 }, async () => {
    const child = spawn(process.execPath, [path.join(clone, "bin", "freehold.mjs"), "up"]);
    const [code] = await once(child, "exit");
    return code;
  });
  assert.deepEqual(await Promise.all(starts), [0, 0, 0]);
  const isBuilt = () => existsSync(path.join(clone, store, "current.json"));
  await until(() => isBuilt() && !existsSync(lockOf(clone)));
  assert.deepEqual(start(clone).report, bundled);
  assert.deepEqual(bundlesIn(clone), [path.basename(bundleOf(clone))]);
});

const bundlesIn = (clone: string) =>
  readdirSync(path.join(clone, store)).filter((name) => name.startsWith("bundle-"));

test("a bundle that is torn or in another place is not used", (t) => {
  const clone = newClone(t);
  const chunk = path.join(build(clone), "main.js");
  const moved = `${clone}-moved`;
  renameSync(clone, moved);
  const { report } = start(moved);
  renameSync(moved, clone);
  assert.deepEqual(report, fromSources);
  const manifest = path.join(clone, store, "current.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.slice(0, text.length / 2));
  assert.deepEqual(start(clone).report, fromSources);
  writeFileSync(manifest, text);
  assert.deepEqual(start(clone).report, bundled);
  truncateSync(chunk, statSync(chunk).size - 1);
  assert.deepEqual(start(clone).report, fromSources);
});

test("sources that do not compile leave the last bundle as it is", (t) => {
  const clone = newClone(t);
  const bundle = build(clone);
  rmSync(lockOf(clone));
  write(clone, "word.ts", "export const word = ;");
  const script = path.join(clone, "bin", "start", "build-bundle.mjs");
  assert.equal(spawnSync(process.execPath, [script]).status, 1);
  assert.equal(bundleOf(clone), bundle);
  assert.deepEqual(bundlesIn(clone), [path.basename(bundle)]);
});

test("a process keeps its bundle after the next one is made", async (t) => {
  const clone = newClone(t);
  const first = build(clone);
  const args = [path.join(clone, "bin", "freehold.mjs"), "up", "late"];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await until(() => existsSync(path.join(first, "processes", String(child.pid))));
  write(clone, "late.ts", 'export const late = "later";\n');
  const second = build(clone);
  child.stdin.end("go on");
  const [output] = await once(child.stdout, "data");
  assert.deepEqual(JSON.parse(output), bundled);
  await ended;
  write(clone, "word.ts", wordModule("two"));
  const third = build(clone);
  assert.deepEqual(
    [existsSync(first), existsSync(second), existsSync(third)],
    [false, false, true],
  );
});

test("stack traces name the lines of the sources, on which debuggers and module hooks work", (t) => {
  const clone = newClone(t);
  const { stderr: trace } = start(clone, { action: "fail" });
  build(clone);
  const { stderr } = start(clone, { action: "fail" });
  const frame = /at main \(file:.*src\/main\.ts:\d+:\d+\)/;
  assert.match(stderr, frame);
  assert.equal(frame.exec(stderr)?.[0], frame.exec(trace)?.[0]);
  for (const flag of ["--inspect=127.0.0.1:0", "--import=data:text/javascript,"])
    assert.deepEqual(start(clone, { flags: [flag] }).report, fromSources);
  rmSync(lockOf(clone));
  // A user who may not write here cannot say that it runs the bundle.
  if (withoutRights.uid === undefined) return;
  assert.deepEqual(start(clone, { user: withoutRights }), { report: fromSources, stderr: "" });
});

test("a start does not fail because no bundle can be made", (t) => {
  const clone = newClone(t);
  rmSync(lockOf(clone));
  mkdirSync(path.join(clone, store, "problems.txt"));
  assert.deepEqual(start(clone), { report: fromSources, stderr: "" });
  // As after a release of the lock between two looks at it.
  mkdirSync(lockOf(clone));
  assert.deepEqual(start(clone), { report: fromSources, stderr: "" });
});

test("a clone without the bundler starts from the sources", (t) => {
  const clone = newClone(t);
  rmSync(path.join(clone, "node_modules"));
  rmSync(path.join(clone, ".cache"), { recursive: true });
  mkdirSync(path.join(clone, "node_modules", "fastify"), { recursive: true });
  assert.deepEqual(start(clone), { report: fromSources, stderr: "" });
  assert.equal(existsSync(path.join(clone, ".cache")), false);
});
