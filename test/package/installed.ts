// Installs the packages of dist/release for a test, in folders outside of the clone, and runs them there.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { machineEnv } from "../cli/machine-node.ts";

export const root: string = path.join(import.meta.dirname, "..", "..");
const release = path.join(root, "dist", "release");

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

/** Installs a packed npm package, without a registry, and returns the folder of modules. */
export function installNpm(folder: string, name: string): string {
  writeFileSync(path.join(folder, "package.json"), '{"private": true, "type": "module"}');
  const args = ["install", "--offline", "--no-audit", "--no-fund", tarball(name)];
  const { status, stderr } = spawnSync("npm", args, {
    cwd: folder,
    env: environment,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return path.join(folder, "node_modules");
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
