// Installs the packages of dist/release for a test, in folders outside of the clone, and runs them there.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { machineEnv } from "../cli/machine-node.ts";

export const root: string = path.join(import.meta.dirname, "..", "..");
export const release: string = path.join(root, "dist", "release");

const cache = mkdtempSync(path.join(tmpdir(), "freehold-package-cache-"));
process.on("exit", () => rmSync(cache, { recursive: true, force: true }));

/** This Node and the machine's programs; nothing of the clone and of the test run. */
export const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(machineEnv).filter(([name]) => !/^(FREEHOLD|RUNPOD|NODE_|npm_)/.test(name)),
  ),
  // Traceless: npx installs into npm's cache, and the command caches its compiled code.
  npm_config_cache: path.join(cache, "npm"),
  XDG_CACHE_HOME: cache,
  PATH: [path.dirname(process.execPath), machineEnv.PATH].join(path.delimiter),
};

/** An empty folder, removed after the test. */
export function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-package-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The path of a packed npm package. */
export function tarball(name: string): string {
  const file = readdirSync(release).find((each) => new RegExp(`^${name}-\\d.*\\.tgz$`).test(each));
  assert.ok(file, `${release} has no package ${name}; npm run release builds it`);
  return path.join(release, file);
}

/** Folders of installed packages by their names: to copy one takes a tenth of the time of an install. */
const installedNpm = new Map<string, string>();

/** Installs packed npm packages, without a registry, and returns the folder of modules. */
export function installNpm(folder: string, ...names: string[]): string {
  const installed = installedNpm.get(names.join());
  if (installed) cpSync(installed, folder, { recursive: true, verbatimSymlinks: true });
  else {
    runNpm(folder, names);
    const copy = path.join(cache, `npm-${names.join("-")}`);
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    installedNpm.set(names.join(), copy);
  }
  return path.join(folder, "node_modules");
}

function runNpm(folder: string, names: string[]): void {
  writeFileSync(path.join(folder, "package.json"), '{"private": true, "type": "module"}');
  const args = ["install", "--offline", "--no-audit", "--no-fund", ...names.map(tarball)];
  const { status, stderr } = spawnSync("npm", args, {
    cwd: folder,
    env: environment,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
}

/** Runs a command until its output matches; ends it after the test. Returns the output. */
export async function until(
  t: TestContext,
  folder: string,
  [program = "", ...args]: string[],
  pattern: RegExp,
  env: NodeJS.ProcessEnv = environment,
): Promise<string> {
  // Its own process group, because npx does not forward a signal.
  const child = spawn(program, args, { cwd: folder, env, detached: true });
  const over = new Promise<void>((resolve) => child.on("close", () => resolve()));
  t.after(() => {
    if (child.exitCode === null) process.kill(-child.pid!, "SIGTERM");
    return over;
  });
  let text = "";
  await new Promise<void>((resolve, reject) => {
    const read = (piece: Buffer) => {
      text += piece;
      if (pattern.test(text)) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  assert.match(text, pattern);
  return text;
}

/** The text of a successful answer. */
export async function answerOf(url: string, init?: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  assert.equal(answer.status, 200, `${url}: ${text.slice(0, 200)}`);
  return text;
}

interface WheelOptions {
  /** Packages of the registry. */
  others?: string[];
  /**
   * The Python of an environment, for tests that add packages of it to the fresh one. Its pip installs there: to give an
   * environment a pip of its own takes longer than to install the wheels.
   */
  python?: string;
}

/**
 * Installs wheels into a fresh virtual environment and returns the folder of its programs, or null if this machine
 * lacks Python or a registry: the test is then skipped.
 */
export function installWheels(
  t: TestContext,
  names: string[],
  { others = [], python }: WheelOptions = {},
): string | null {
  const files = wheelFiles(t, names);
  if (!files) return null;
  const folder = emptyFolder(t);
  const command = python ?? "python3";
  const bare = python ? ["--without-pip"] : [];
  const venv = spawnSync(command, ["-m", "venv", ...bare, "venv"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (venv.status !== 0) return skip(t, `${command} -m venv failed: ${venv.stderr}`);
  const programs = path.join(folder, "venv", "bin");
  const own = path.join(programs, "python");
  const pip = python ? [python, "-m", "pip", "--python", own] : [own, "-m", "pip"];
  const args = ["install", "--no-compile", ...files, ...others];
  return runPip(t, pip, args) ? programs : null;
}

/** Downloads wheels and all that they need into a folder; false if the test is skipped. */
export function downloadWheels(t: TestContext, folder: string, names: string[]): boolean {
  const files = wheelFiles(t, names);
  if (!files) return false;
  const args = ["download", "--only-binary", ":all:", "--dest", folder, ...files];
  return runPip(t, ["python3", "-m", "pip"], args);
}

function wheelFiles(t: TestContext, names: string[]): string[] | null {
  const wheels = readdirSync(release).filter((file) => file.endsWith(".whl"));
  const files = names.map((name) =>
    wheels.find((file) => file.startsWith(`${name.replaceAll("-", "_")}-`)),
  );
  if (files.includes(undefined))
    return skip(t, "the wheels are not built: Python with pip is missing");
  return files.map((file) => path.join(release, file!));
}

function runPip(t: TestContext, [program = "", ...pip]: string[], args: string[]): boolean {
  const quiet = ["--quiet", "--disable-pip-version-check"];
  const ended = spawnSync(program, [...pip, ...args, ...quiet], { encoding: "utf8" });
  if (ended.status === 0) return true;
  const offline = /NewConnectionError|Name or service not known|No matching distribution/;
  assert.match(ended.stderr, offline);
  skip(t, `pip's registry does not answer: ${ended.stderr.trim().split("\n").at(-1)}`);
  return false;
}

/** In CI a skip is a failure. */
function skip(t: TestContext, reason: string): null {
  if (process.env.CI) throw new Error(reason);
  t.skip(reason);
  return null;
}
