// Makes the bundle for the next start in a process that outlives this one, with what is left of the processor's time.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { root } from "../with-node.mjs";
import { isBuilding } from "./build-lock.mjs";
import { folder } from "./bundle-store.mjs";

/** A start does not fail because no bundle can be made: the next start is then from the sources too. */
export function buildBundleInBackground() {
  if (!hasBundler()) return;
  try {
    mkdirSync(folder, { recursive: true });
    if (!isBuilding()) spawnBuild();
  } catch {
    // This user may not write there.
  }
}

/** The bundler is among the dependencies of `bin`, which a clone without a developer lacks. */
const hasBundler = () => existsSync(path.join(root, "node_modules", "esbuild"));

function spawnBuild() {
  accessSync(folder, constants.W_OK);
  const script = path.join(root, "bin", "start", "build-bundle.mjs");
  const problems = openSync(path.join(folder, "problems.txt"), "w");
  const child = spawn(process.execPath, [script, "--idle"], {
    cwd: root,
    stdio: ["ignore", "ignore", problems],
    detached: true,
    windowsHide: true,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  child.on("error", () => {});
  child.unref();
}
