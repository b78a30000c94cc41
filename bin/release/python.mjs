// The Python packages: writes the sources of each below dist/ and builds a wheel into dist/release.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../with-node.mjs";
import { release, runTool, version, writeVariables } from "./npm.mjs";

const dist = path.join(root, "dist");
const python = process.platform === "win32" ? "python" : "python3";

/** What wheels need and this machine lacks, as a sentence; null if it has it. */
export function missingForWheels() {
  const { status } = spawnSync(python, ["-m", "pip", "--version"]);
  return status === 0 ? null : `wheels need ${python} with pip (apt-get install python3-venv)`;
}

/** The wheel `freehold`: the bundle of `buildFreehold` and a launcher. It is the same for all systems. */
export function buildFreeholdWheel() {
  const folder = startFolder("python", "freehold/__init__.py");
  const bundle = path.join(folder, "freehold", "bundle");
  cpSync(path.join(dist, "freehold"), bundle, { recursive: true });
  buildWheel(folder);
}

/** The plugin of pytest. */
export function buildPytestWheel() {
  const folder = startFolder("pytest", "pytest_freehold/__init__.py");
  writeVariables(path.join(folder, "pytest_freehold", "variables.json"));
  buildWheel(folder);
}

/** The sources of a package, with the version of the release. */
function startFolder(name, versioned) {
  const folder = path.join(dist, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(path.join(root, "packages", name), folder, { recursive: true });
  cpSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  const file = path.join(folder, versioned);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace('__version__ = "0"', `__version__ = "${version}"`));
  return folder;
}

function buildWheel(folder) {
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-deps"];
  runTool(python, ["-m", "pip", "wheel", ...quiet, "--wheel-dir", release, folder]);
}
