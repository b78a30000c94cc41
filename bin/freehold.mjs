#!/usr/bin/env node
// The command `freehold`. From a clone it runs src/main.ts as it stands; the published package
// carries the same code emitted to dist/, because Node strips no types below node_modules.
import { existsSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installDependencies, newEnough, root, run } from "./with-node.mjs";

const source = path.join(root, "src", "main.ts");
const main = existsSync(source) ? source : path.join(root, "dist", "src", "main.js");
if (main === source) installDependencies();
if (newEnough) {
  // Not imported by name: Node 20 has no such export, and it must get as far as handing over.
  const modules = main === source ? path.join(root, "node_modules") : path.dirname(root);
  module.enableCompileCache(path.join(modules, ".cache", "freehold"));
  if (main === source && process.argv[2] === "up" && !process.env.NODE_TEST_CONTEXT) {
    const { buildBeside } = await import("./console.mjs");
    buildBeside();
  }
  const { main: start } = await import(pathToFileURL(main).href);
  await start(process.argv.slice(2));
} else {
  run(path.join(root, "bin", "freehold.mjs"), process.argv.slice(2));
}
