// Makes a bundle of this clone's code the current one, unless there is one. Usage: node bin/start/build-bundle.mjs [--idle]
// With --idle it takes the processor time that nothing else wants.
import { existsSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleInPlace } from "../release/bundle.mjs";
import { root } from "../with-node.mjs";
import { takeBuildLock } from "./build-lock.mjs";
import { currentBundle, newBundle, publishBundle, removeOldBundles } from "./bundle-store.mjs";

/** What decides which files are in a bundle, and how they are bundled. */
const SETTINGS = [
  "package.json",
  "tsconfig.json",
  "node_modules/.package-lock.json",
  "bin/release/bundle.mjs",
];
/** File systems count time in steps of up to two seconds, and a file that changes twice in a step looks unchanged. */
const CLOCK_STEP_MS = 2_000;

const release = currentBundle() === null ? takeBuildLock() : null;
if (release) {
  try {
    if (process.argv.includes("--idle")) os.setPriority(os.constants.priority.PRIORITY_LOW);
    await sleep(CLOCK_STEP_MS);
    await makeBundle();
  } finally {
    release();
  }
}

async function makeBundle() {
  const unchangedSinceMs = Date.now() - CLOCK_STEP_MS;
  const bundle = newBundle();
  let isPublished = false;
  try {
    const inputs = await bundleInPlace(bundle);
    const settings = SETTINGS.filter((file) => existsSync(path.join(root, file)));
    isPublished = publishBundle(bundle, [...inputs, ...settings], unchangedSinceMs);
  } finally {
    if (!isPublished) rmSync(bundle, { recursive: true, force: true });
  }
  if (isPublished) removeOldBundles();
  else throw new Error("The sources changed while they were bundled.");
}
