// Builds the console where it is missing or its sources are newer: console/dist. Run by itself it says
// what was wrong, if anything was: node bin/console.mjs
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { findNode, root } from "./with-node.mjs";

const home = path.join(root, "console");
const dist = path.join(home, "dist");
const stamp = path.join(dist, "built-from");
const NOT_SOURCES = new Set(["node_modules", "dist", "generated"]);

/** True where there is nothing to build from: the published package brings it built. */
export const published = !existsSync(path.join(home, "package.json"));

/** True where what is built is of these sources. */
export function isBuilt() {
  return published || (existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesHash());
}

/** Builds it beside whatever else this process does, and says so in a line. */
export function buildBeside() {
  if (isBuilt()) return;
  process.stderr.write("  building the console, once ...\n");
  const script = path.join(root, "bin", "console.mjs");
  // A group of its own, for npm below it must end with it: the next start would meet it at its work.
  const child = spawn(findNode(), [script, "quiet"], {
    stdio: ["ignore", "ignore", 2],
    detached: true,
  });
  child.unref();
  const running = () => child.exitCode === null && child.signalCode === null;
  process.on("exit", () => running() && endGroup(child.pid));
}

function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL"); // npm goes on after anything milder
  } catch {
    // Nobody is left in it.
  }
}

/** Builds it and waits; false where it could not be. */
export function build({ quiet = false } = {}) {
  if (isBuilt()) return true;
  if (!quiet) process.stderr.write("  building the console, once ...\n");
  const hash = sourcesHash();
  const made = path.join(home, `dist-${process.pid}`);
  try {
    if (!makeClient()) return false;
    if (!tool("vite", "bin/vite.js", ["build", "--outDir", made, "--logLevel", "warn"]))
      return false;
    compress(path.join(made, "assets"));
    writeFileSync(path.join(made, "built-from"), hash);
    rmSync(dist, { recursive: true, force: true });
    renameSync(made, dist);
    return true;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

const CLIENT = [
  path.join("..", "docs", "openapi.json"),
  ...["--output", "generated/openapi.d.ts"],
  "--default-non-nullable=false", // what has a default need not be sent
];

/** The types of the client alone, for who checks types or serves the sources. */
function makeClient() {
  return install() && tool("openapi-typescript", "bin/cli.js", CLIENT);
}

function install() {
  const lock = readFileSync(path.join(home, "package-lock.json"), "utf8");
  const modules = path.join(home, "node_modules");
  const installed = path.join(modules, ".installed-from");
  const hash = createHash("sha256").update(lock).digest("hex");
  if (existsSync(installed) && readFileSync(installed, "utf8") === hash) return true;
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: home,
    stdio: ["ignore", "ignore", 2], // on success it has nothing to say
    shell: process.platform === "win32",
  });
  if (npm.status === 0) writeFileSync(installed, hash);
  return npm.status === 0;
}

function tool(name, file, args) {
  const script = path.join(home, "node_modules", name, file);
  mkdirSync(path.join(home, "generated"), { recursive: true });
  const env = { ...process.env, NODE_ENV: "production" };
  const options = { cwd: home, env, stdio: ["ignore", "pipe", 2], encoding: "utf8" };
  const { status, stdout } = spawnSync(findNode(), [script, ...args], options);
  if (status !== 0) process.stderr.write(stdout ?? "");
  return status === 0;
}

/** Compressed once here, so that no request waits for it. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    if (/\.woff2$/.test(name)) continue;
    const file = path.join(folder, name);
    const body = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    writeFileSync(`${file}.br`, brotliCompressSync(body, { params }));
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  }
}

function sourcesHash() {
  const hash = createHash("sha256");
  const files = [path.join(root, "docs", "openapi.json"), ...filesBelow(home)];
  for (const file of files)
    hash.update(`${path.relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest("hex");
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !NOT_SOURCES.has(name) && !name.startsWith("dist-"))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file) : [file];
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , how] = process.argv;
  if (how === "client") {
    if (!makeClient()) process.exitCode = 1;
  } else if (!build({ quiet: how === "quiet" })) {
    process.stderr.write("freehold: the console could not be built; all else works without it.\n");
    process.exitCode = 1;
  } else if (how !== "quiet") process.stdout.write("The console is built.\n");
}
