// The npm packages: writes the folder of each below dist/ and packs it into dist/release.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build as buildConsole } from "../console.mjs";
import { findNode, root } from "../with-node.mjs";
import { bundle } from "./bundle.mjs";
import { bundledPackages, licenseText } from "./third-party.mjs";

const dist = path.join(root, "dist");
/** What is ready to publish. */
export const release = path.join(dist, "release");

const own = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** The version of everything that is released. */
export const { version } = own;

/** The service and the command line, with all dependencies; returns the packages that it contains. */
export async function buildFreehold() {
  if (!buildConsole()) throw new Error("the console could not be built");
  const folder = startFolder("freehold");
  cpSync(path.join(root, "packages/freehold/freehold.mjs"), path.join(folder, "freehold.mjs"));
  const packages = bundledPackages(await bundle(path.join(folder, "lib")));
  writeFileSync(path.join(folder, "THIRD-PARTY-LICENSES.txt"), licenseText(packages));
  return packages;
}

/** The worker library, as separate modules with their types. */
export function buildWorkerLibrary() {
  startFolder("worker");
  runTool(path.join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.worker.json"]);
}

/** The test kit for node:test and vitest, which needs the package `freehold` of the same version. */
export function buildTestKit() {
  const folder = startFolder("testing", { freehold: version });
  runTool(path.join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.testing.json"]);
  writeVariables(path.join(folder, "lib", "variables.json"));
}

/** Writes the variables that point clients to a Freehold, with {origin} and {key} in place of values. */
export function writeVariables(file) {
  const source = path.join(root, "src", "cli", "client-settings.ts");
  const script = `import { clientVariables } from ${JSON.stringify(pathToFileURL(source).href)};
const all = clientVariables("{origin}", "{key}").map(({ name, value }) => [name, value]);
process.stdout.write(JSON.stringify(Object.fromEntries(all), null, 2));`;
  const ended = spawnSync(findNode(), ["--input-type=module", "-e", script], { encoding: "utf8" });
  if (ended.status !== 0) throw new Error(ended.stderr);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${ended.stdout}\n`);
}

/** Packs a folder of `dist` for npm. */
export function pack(name) {
  mkdirSync(release, { recursive: true });
  const quiet = ["--silent", "--ignore-scripts"];
  runTool("npm", ["pack", path.join(dist, name), "--pack-destination", release, ...quiet]);
}

/** An empty folder with what every package has. */
function startFolder(name, dependencies) {
  const folder = path.join(dist, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const source = path.join(root, "packages", name);
  cpSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  cpSync(path.join(source, "README.md"), path.join(folder, "README.md"));
  const { description, keywords, license, author } = own;
  const manifest = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  const { name: published, ...rest } = manifest;
  const whole = {
    name: published,
    version,
    description,
    keywords,
    license,
    author,
    ...rest,
    dependencies,
  };
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(whole, null, 2)}\n`);
  return folder;
}

/** Runs a program in the root of the clone, and throws an error with its output if it fails. */
export function runTool(program, args) {
  const shell = process.platform === "win32";
  const ended = spawnSync(program, args, { cwd: root, encoding: "utf8", shell });
  if (ended.status === 0) return;
  const reason = ended.error?.message ?? `${ended.stdout}${ended.stderr}`;
  throw new Error(`${program} ${args.join(" ")} failed: ${reason}`);
}
