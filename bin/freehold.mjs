#!/usr/bin/env node
// The command `freehold`. In a clone it runs src/main.ts directly. The published package has the same
// code compiled to dist/, because Node does not strip types below node_modules.
import { existsSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installDependencies, newEnough, root, run } from "./with-node.mjs";

const source = path.join(root, "src", "main.ts");
const main = existsSync(source) ? source : path.join(root, "dist", "src", "main.js");
if (main === source) installDependencies();
if (newEnough) {
  // Not a named import: Node 20 has no such export, and this file must load there to start a newer Node.
  const modules = main === source ? path.join(root, "node_modules") : path.dirname(root);
  module.enableCompileCache(path.join(modules, ".cache", "freehold"));
  if (main === source && process.argv[2] === "up" && !process.env.NODE_TEST_CONTEXT) {
    const { buildInBackground } = await import("./console.mjs");
    buildInBackground();
  }
  const { main: start } = await import(pathToFileURL(main).href);
  await start(process.argv.slice(2));
} else {
  run(path.join(root, "bin", "freehold.mjs"), process.argv.slice(2));
}
