// The bridge from whatever Node a machine has to the one this project runs on. Plain JavaScript
// that Node 20 can read: it installs the dependencies of a fresh clone, finds a Node that is new
// enough (the npm package `node` brings one), and hands over.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NEEDED_MAJOR = 24;

/** True where this process itself is new enough to run the `.ts` files. */
export const newEnough = Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR;

/** Installs the dependencies once; a clone without them is a clone somebody just made. */
export function installDependencies() {
  if (existsSync(path.join(root, "node_modules", "fastify"))) return;
  process.stderr.write("  installing dependencies, once ...\n");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) fail("npm ci did not succeed; its own message stands above.");
}

/** The path of a Node that can run this project; ends the process with a sentence if there is none. */
export function findNode() {
  if (newEnough) return process.execPath;
  for (const folder of [root, path.join(root, "..", "..")]) {
    const brought = path.join(folder, "node_modules", "node", "bin", "node");
    if (existsSync(brought)) return brought;
  }
  return fail(
    `Freehold needs Node ${NEEDED_MAJOR} or later and this is ${process.version}. The npm package "node" ` +
      "brings one, but its install script did not run here. Two ways out: allow it " +
      "(npm rebuild node --ignore-scripts=false), or install a newer Node.",
  );
}

/** Runs a script under the Node found above, passing on signals and the exit code. */
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

function fail(sentence) {
  process.stderr.write(`freehold: ${sentence}\n`);
  process.exit(1);
}
