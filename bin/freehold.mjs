#!/usr/bin/env node
// The command `freehold` in a clone and in the image: runs src/main.ts. The npm package has a bundle and a command of
// its own (packages/freehold).
import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installDependencies, newEnough, root, run } from "./with-node.mjs";

await installDependencies();
if (newEnough) {
  // Not a named import: Node 20 has no such export, and this file must load there to start a newer Node.
  module.enableCompileCache(path.join(root, "node_modules", ".cache", "freehold"));
  if (process.argv[2] === "up" && !process.env.NODE_TEST_CONTEXT) {
    const { buildInBackground } = await import("./console.mjs");
    buildInBackground();
  }
  const main = path.join(root, "src", "main.ts");
  const { main: start } = await import(pathToFileURL(main).href);
  await start(process.argv.slice(2));
} else {
  run(path.join(root, "bin", "freehold.mjs"), process.argv.slice(2));
}
