// The bootstrap from the machine's Node to the Node that this project needs. It is plain JavaScript
// that Node 20 can read. It installs the dependencies of a fresh clone, finds a Node that is new enough
// (the npm package `node` contains one), and runs the script with it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NEEDED_MAJOR = 24;

/** True if the current Node can run the `.ts` files. */
export const newEnough = Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR;

/** Installs the dependencies of a fresh clone. */
export function installDependencies() {
  if (existsSync(path.join(root, "node_modules", "fastify"))) return;
  process.stderr.write("  installing dependencies (first start) ...\n");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    fail(
      "npm ci failed; see its message above. The first start needs a registry of npm; without a network, install " +
        "a package of Freehold (docs/install.md).",
    );
  }
}

/** The path of a Node that can run this project. Ends the process with an error if there is none. */
export function findNode() {
  if (newEnough) return process.execPath;
  const bundled = path.join(root, "node_modules", "node", "bin", "node");
  if (existsSync(bundled)) return bundled;
  return fail(
    `Freehold needs Node ${NEEDED_MAJOR} or later, and this is ${process.version}. The npm package "node" ` +
      "contains one, but its install script did not run. Run the script " +
      "(npm rebuild node --ignore-scripts=false), or install a newer Node.",
  );
}

/** Runs a script with the Node from `findNode`, and forwards signals and the exit code. */
export function run(script, args, options = {}) {
  const child = spawn(findNode(), [...(options.flags ?? []), script, ...args], {
    stdio: "inherit",
    cwd: options.cwd ?? process.cwd(),
    env: { ...process.env, ...options.env },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}

function fail(message) {
  process.stderr.write(`freehold: ${message}\n`);
  process.exit(1);
}
