// Makes the bundle for the next start in a process that outlives this one, with what is left of the processor's time.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { root } from "../with-node.mjs";
import { isBuilding } from "./build-lock.mjs";
import { folder } from "./bundle-store.mjs";

export function buildBundleInBackground() {
  if (!canBuild() || isBuilding()) return;
  const script = path.join(root, "bin", "start", "build-bundle.mjs");
  const problems = openSync(path.join(folder, "problems.txt"), "w");
  const child = spawn(process.execPath, [script, "--idle"], {
    cwd: root,
    stdio: ["ignore", "ignore", problems],
    detached: true,
    windowsHide: true,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  child.on("error", () => {}); // the next start is from the sources too
  child.unref();
}

/** The bundler is among the dependencies of `bin`, which a clone without a developer lacks. */
function canBuild() {
  if (!existsSync(path.join(root, "node_modules", "esbuild"))) return false;
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
