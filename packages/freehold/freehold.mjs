#!/usr/bin/env node
// The command `freehold` of the npm package. Old versions of Node can read this file, to say what is needed.
import module from "node:module";
import os from "node:os";
import path from "node:path";

const NEEDED_MAJOR = 24;

if (Number(process.versions.node.split(".")[0]) < NEEDED_MAJOR) {
  process.stderr.write(
    `freehold: Freehold needs Node ${NEEDED_MAJOR} or later, and this is ${process.version}. ` +
      "Install a newer Node, or the Python package of Freehold, which brings one.\n",
  );
  process.exit(1);
}
// The package's own folder may be read-only, or belong to another user.
const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
module.enableCompileCache(path.join(cache, "freehold"));
const { main } = await import("./lib/main.js");
await main(process.argv.slice(2));
