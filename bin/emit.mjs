// The build of the published package, called by npm before it packs. dist/ gets the sources as
// JavaScript, the other files that they read (migrations, pages), the built console, and the type
// declarations of the worker library.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "./console.mjs";
import { root } from "./with-node.mjs";

const dist = path.join(root, "dist");
const library = path.join("src", "serve") + path.sep;

rmSync(dist, { recursive: true, force: true });
const tsc = path.join(root, "node_modules", ".bin", "tsc");
const { status } = spawnSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

for (const file of filesBelow(root, "src")) {
  if (/\.(?:ts|md)$/.test(file)) continue;
  mkdirSync(path.join(dist, path.dirname(file)), { recursive: true });
  cpSync(path.join(root, file), path.join(dist, file));
}
if (!build()) process.exit(1);
cpSync(path.join(root, "console", "dist"), path.join(dist, "console", "dist"), { recursive: true });

// Only the worker library can be imported, so only its declarations are published.
for (const file of filesBelow(dist, ".")) {
  if (file.endsWith(".d.ts") && !file.startsWith(library)) rmSync(path.join(dist, file));
}

/** All files below a folder, as paths relative to `start`. */
function filesBelow(start, folder) {
  return readdirSync(path.join(start, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(start, path.join(entry.parentPath, entry.name)));
}
