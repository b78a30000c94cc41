#!/usr/bin/env node
// The command `freehold` in a clone and in the image: runs src/main.ts, or a bundle of it. The npm package has a bundle and a
// command of its own (packages/freehold).
import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildBundleInBackground } from "./start/build-in-background.mjs";
import { openBundle } from "./start/bundle-store.mjs";
import { traceToSources } from "./start/stack-traces.mjs";
import { installDependencies, newEnough, root, run } from "./with-node.mjs";

/** They load most of the code; for the others, finding out whether the bundle is current takes longer than it saves. */
const START_THE_SERVICE = ["up", "dev"];
/** Debuggers and module hooks work on the sources. */
const NEEDS_SOURCES = /--(?:inspect|import|require|loader|experimental-loader)\b|(?:^| )-r /;

await installDependencies();
if (newEnough) {
  const flags = [process.env.NODE_OPTIONS ?? "", ...process.execArgv].join(" ");
  const isBundled = START_THE_SERVICE.includes(process.argv[2]) && !NEEDS_SOURCES.test(flags);
  const bundle = isBundled ? openBundle() : null;
  // Not a named import: Node 20 has no such export, and this file must load there to start a newer Node.
  module.enableCompileCache(
    bundle ? path.join(bundle, "compiled") : path.join(root, "node_modules", ".cache", "freehold"),
  );
  if (process.argv[2] === "up" && !process.env.NODE_TEST_CONTEXT) {
    const { buildInBackground } = await import("./console.mjs");
    buildInBackground();
  }
  if (bundle) traceToSources(bundle);
  else if (isBundled) buildBundleInBackground();
  const main = bundle ? path.join(bundle, "main.js") : path.join(root, "src", "main.ts");
  const { main: start } = await import(pathToFileURL(main).href);
  await start(process.argv.slice(2));
} else {
  run(path.join(root, "bin", "freehold.mjs"), process.argv.slice(2));
}
