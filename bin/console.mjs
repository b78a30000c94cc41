// The build of the console: writes console/dist if it is missing or was built from other sources.
// Usage: node bin/console.mjs [quiet|client]; `client` generates the types of the API client only.
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
import { bodySchemasModule } from "./console-body-schemas.mjs";
import { findNode, requireNode, root } from "./with-node.mjs";

const home = path.join(root, "console");
const dist = path.join(home, "dist");
const stamp = path.join(dist, "built-from");
const NOT_SOURCES = new Set(["node_modules", "dist", "generated"]);

/** True in the image, which contains the built console without its sources. */
const withoutSources = !existsSync(path.join(home, "package.json"));

/** True if console/dist was built from the current sources. */
export function isBuilt() {
  return withoutSources || (existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesHash());
}

/** Builds the console in a background process, and prints a line about it. */
export function buildInBackground() {
  if (isBuilt()) return;
  process.stderr.write("  building the console (first start or changed sources) ...\n");
  const script = path.join(root, "bin", "console.mjs");
  // A process group of its own, so that npm ends with it. Otherwise the next start would run beside that npm.
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
    process.kill(-pid, "SIGKILL"); // npm survives other signals
  } catch {
    // The group is already empty.
  }
}

/** Builds the console and waits for it; false if the build failed. */
export function build({ quiet = false } = {}) {
  if (isBuilt()) return true;
  if (!quiet) process.stderr.write("  building the console (first start or changed sources) ...\n");
  const hash = sourcesHash();
  const staging = path.join(home, `dist-${process.pid}`);
  try {
    if (!generateClient()) return false;
    if (!tool("vite", "bin/vite.js", ["build", "--outDir", staging, "--logLevel", "warn"]))
      return false;
    compress(path.join(staging, "assets"));
    writeFileSync(path.join(staging, "built-from"), hash);
    rmSync(dist, { recursive: true, force: true });
    renameSync(staging, dist);
    return true;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Of REST v1 and v2. */
const DOCUMENTS = ["openapi", "openapi-v2"];
const documentFile = (name) => path.join(root, "docs", `${name}.json`);

/** Generates the types and body schemas of the API, which type checks and the development server need. */
function generateClient() {
  if (!install() || !DOCUMENTS.every(generateTypes)) return false;
  const openapi = DOCUMENTS.map((name) => JSON.parse(readFileSync(documentFile(name), "utf8")));
  writeFileSync(path.join(home, "generated", "body-schemas.ts"), bodySchemasModule(openapi));
  return true;
}

function generateTypes(name) {
  return tool("openapi-typescript", "bin/cli.js", [
    documentFile(name),
    "--output",
    `generated/${name}.d.ts`,
    "--default-non-nullable=false", // a field with a default is optional in a request
  ]);
}

function install() {
  const lock = readFileSync(path.join(home, "package-lock.json"), "utf8");
  const modules = path.join(home, "node_modules");
  const installed = path.join(modules, ".installed-from");
  const hash = createHash("sha256").update(lock).digest("hex");
  if (existsSync(installed) && readFileSync(installed, "utf8") === hash) return true;
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: home,
    stdio: ["ignore", "ignore", 2], // prints nothing of interest on success
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

/** Compresses the files at build time, so that no request waits for it. */
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
  const files = [...DOCUMENTS.map(documentFile), ...filesBelow(home)];
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
  const [, , mode] = process.argv;
  await requireNode();
  if (mode === "client") {
    if (!generateClient()) process.exitCode = 1;
  } else if (!build({ quiet: mode === "quiet" })) {
    process.stderr.write(
      "freehold: the build of the console failed. Everything else works without it.\n",
    );
    process.exitCode = 1;
  } else if (mode !== "quiet") process.stdout.write("The console is built.\n");
}
